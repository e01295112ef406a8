// Memory in a stream's order, from the default pool and one of the program's own; managed memory.
#include "check.hpp"

__global__ void set(int* where, int value) {
  *where = value;
}

int main() {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  int *memory, back = 0;
  CHECK(cudaMallocAsync(&memory, sizeof(int), stream));
  set<<<1, 1, 0, stream>>>(memory, 42);
  CHECK(cudaMemcpyAsync(&back, memory, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(memory, stream));
  CHECK(cudaStreamSynchronize(stream));
  std::printf("stream memory %d\n", back);

  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  cudaMemPool_t pool;
  CHECK(cudaMemPoolCreate(&pool, &properties));
  CHECK(cudaMallocAsync(&memory, sizeof(int), pool, stream));
  set<<<1, 1, 0, stream>>>(memory, 43);
  CHECK(cudaMemcpyAsync(&back, memory, sizeof(int), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaFreeAsync(memory, stream));
  CHECK(cudaStreamSynchronize(stream));
  unsigned long long used = 1;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  std::printf("own pool %d, used %llu at the end\n", back, used);
  CHECK(cudaMemPoolDestroy(pool));

  int* managed;
  CHECK(cudaMallocManaged(&managed, sizeof(int)));
  *managed = 1;
  set<<<1, 1>>>(managed, 44);
  CHECK(cudaDeviceSynchronize());
  std::printf("managed %d on the host\n", *managed);
  CHECK(cudaFree(managed));
}

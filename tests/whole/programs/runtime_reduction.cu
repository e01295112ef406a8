// Shared memory of both kinds, function attributes and occupancy, a sum by tree.
#include <numeric>
#include <vector>

#include "check.hpp"

__global__ void sum(const int* values, int n, int* result) {
  __shared__ int part[256];
  extern __shared__ int also[];
  int mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine += values[i];
  part[threadIdx.x] = mine;
  also[threadIdx.x] = 0;
  __syncthreads();
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) part[threadIdx.x] += part[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = part[0] + also[0];
}

int main() {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 0);
  int *on_device, *result, answer = 0;
  CHECK(cudaMalloc(&on_device, values.size() * sizeof(int)));
  CHECK(cudaMalloc(&result, sizeof(int)));
  CHECK(cudaMemcpy(on_device, values.data(), values.size() * sizeof(int), cudaMemcpyDefault));
  sum<<<1, 256, 256 * sizeof(int)>>>(on_device, 1000, result);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(&answer, result, sizeof answer, cudaMemcpyDefault));
  std::printf("sum %d\n", answer);
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, sum));
  std::printf("static shared %zu, threads %d\n", attributes.sharedSizeBytes, attributes.maxThreadsPerBlock);
  int blocks = 0, grid = 0, block = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, sum, 256, 1024));
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, sum));
  std::printf("blocks fit %d, block size a multiple of 32: %d\n", blocks > 0, block > 0 && block % 32 == 0);
  sum<<<1, 256, 1 << 20>>>(on_device, 1000, result);
  std::printf("more dynamic shared memory than fits: %s\n", cudaGetErrorName(cudaGetLastError()));
}

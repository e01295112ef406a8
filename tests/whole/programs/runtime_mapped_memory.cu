// A kernel reads and writes the host's own memory: pinned when it was made, and registered afterwards.
#include <vector>

#include "check.hpp"

__global__ void add(const int* a, const int* b, int* sum, int n) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) sum[i] = a[i] + b[i];
}

int main() {
  const int n = 3000;
  const size_t size = n * sizeof(int);
  int *a, *sum;
  CHECK(cudaHostAlloc(&a, size, cudaHostAllocMapped));
  CHECK(cudaHostAlloc(&sum, size, cudaHostAllocMapped));
  std::vector<int> b(n);
  CHECK(cudaHostRegister(b.data(), size, cudaHostRegisterMapped));
  for (int i = 0; i < n; ++i) {
    a[i] = i;
    b[static_cast<size_t>(i)] = 2 * i;
  }
  int *on_device_a, *on_device_b, *on_device_sum;
  CHECK(cudaHostGetDevicePointer(&on_device_a, a, 0));
  CHECK(cudaHostGetDevicePointer(&on_device_b, b.data(), 0));
  CHECK(cudaHostGetDevicePointer(&on_device_sum, sum, 0));
  add<<<(n + 255) / 256, 256>>>(on_device_a, on_device_b, on_device_sum, n);
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += sum[i] != 3 * i;
  std::printf("%d sums without a copy, %d wrong\n", n, wrong);
  unsigned int flags = 0;
  CHECK(cudaHostGetFlags(&flags, a));
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, a));
  std::printf("mapped %d, memory of the host %d\n", (flags & cudaHostAllocMapped) != 0,
              attributes.type == cudaMemoryTypeHost);
  CHECK(cudaHostUnregister(b.data()));
  std::printf("unregistered twice: %s\n", cudaGetErrorName(cudaHostUnregister(b.data())));
  CHECK(cudaFreeHost(a));
  CHECK(cudaFreeHost(sum));
}

// Kernels, a constant and a counter of the device, as most programs begin.
#include <vector>

#include "check.hpp"

__constant__ float scale;
__device__ int launches;

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = scale * a * x[i] + y[i];
  if (i == 0) atomicAdd(&launches, 1);
}

int main() {
  const int n = 1000;
  std::vector<float> x(n, 1), y(n, 2);
  float *on_device_x, *on_device_y;
  CHECK(cudaMalloc(&on_device_x, n * sizeof(float)));
  CHECK(cudaMalloc(&on_device_y, n * sizeof(float)));
  CHECK(cudaMemcpy(on_device_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(on_device_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  const float two = 2;
  CHECK(cudaMemcpyToSymbol(scale, &two, sizeof two));
  saxpy<<<(n + 255) / 256, 256>>>(n, 3, on_device_x, on_device_y);
  std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
  CHECK(cudaMemcpy(y.data(), on_device_y, n * sizeof(float), cudaMemcpyDeviceToHost));
  int count = 0;
  CHECK(cudaMemcpyFromSymbol(&count, launches, sizeof count));
  std::printf("%g %g %d\n", y[0], y[n - 1], count);
  CHECK(cudaFree(on_device_x));
  CHECK(cudaFree(on_device_y));
}

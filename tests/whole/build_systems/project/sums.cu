// SPDX-License-Identifier: MIT
#include "sums.hpp"

__global__ void add_up(const int* values, int count, int* sum) {
  __shared__ int part;
  if (threadIdx.x == 0) part = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) atomicAdd(&part, values[i]);
  __syncthreads();
  if (threadIdx.x == 0) *sum = part;
}

int sum_of(const int* values, int count) {
  int *there, *sum, result = -1;
  cudaMalloc(&there, count * sizeof(int));
  cudaMalloc(&sum, sizeof(int));
  cudaMemcpy(there, values, count * sizeof(int), cudaMemcpyHostToDevice);
  add_up<<<1, SUMS_BLOCK>>>(there, count, sum);
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(there);
  cudaFree(sum);
  return result;
}

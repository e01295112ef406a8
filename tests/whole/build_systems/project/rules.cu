// SPDX-License-Identifier: MIT
#include "rules.hpp"

__constant__ float spread;
__device__ unsigned int steps_done;
static __device__ float clamp(float value) {
  return fminf(fmaxf(value, 0.0f), 100.0f);
}

__device__ float next(const float* row, int at, int length) {
  const float left = row[at == 0 ? 0 : at - 1], right = row[at == length - 1 ? at : at + 1];
  return clamp(row[at] + spread * (left - 2 * row[at] + right));
}

__global__ void step(const float* from, float* to, int length) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  if (at < length) to[at] = next(from, at, length);
  if (at == 0) atomicAdd(&steps_done, 1);
}

void set_spread(float value) {
  cudaMemcpyToSymbol(spread, &value, sizeof value);
}

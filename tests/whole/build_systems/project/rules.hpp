// SPDX-License-Identifier: MIT
#pragma once
extern __constant__ float spread;
extern __device__ unsigned int steps_done;
__device__ float next(const float* row, int at, int length);
__global__ void step(const float* from, float* to, int length);
void set_spread(float value);

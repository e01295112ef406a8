// Threads go different ways of different length and meet at the barrier again.
extern "C" __global__ void barrier_after_divergence(int* out) {
  __shared__ int values[128];
  int value = static_cast<int>(threadIdx.x);
  if (threadIdx.x % 3 == 0) {
    for (unsigned int i = 0; i < threadIdx.x; ++i) value += i;
  } else if (threadIdx.x % 3 == 1) {
    value *= -1;
  } else {
    while (value > 3) value /= 2;
  }
  values[threadIdx.x] = value;
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = values[blockDim.x - 1 - threadIdx.x] + static_cast<int>(blockIdx.x);
}

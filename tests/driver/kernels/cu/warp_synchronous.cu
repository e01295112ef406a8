// Threads of a warp that communicate through volatile shared memory without a barrier, as in books for older
// GPUs.
__device__ void add_up(volatile int* sums, unsigned i) {
  sums[i] += sums[i + 32];
  sums[i] += sums[i + 16];
  sums[i] += sums[i + 8];
  sums[i] += sums[i + 4];
  sums[i] += sums[i + 2];
  sums[i] += sums[i + 1];
}
extern "C" __global__ void warp_synchronous(const int* in, int* out) {
  __shared__ int sums[288];
  const unsigned i = threadIdx.x;
  sums[i] = in[blockIdx.x * blockDim.x + i];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 32; half /= 2) {
    if (i < half) sums[i] += sums[i + half];
    __syncthreads();
  }
  if (i < 32) add_up(sums, i);
  if (i == 0) out[blockIdx.x] = sums[0];
}
// Only some lanes take part in each step, and a branch lies before a step of all.
extern "C" __global__ void warp_synchronous_in_branches(const int* in, int* out) {
  __shared__ volatile int values[32];
  const unsigned i = threadIdx.x;
  values[i] = in[i];
  if (i % 2 == 1) values[i] = values[i] * 10 + 1;
  values[i] = values[(i + 1) % 32];
  if (i < 16) values[i] += values[i + 16];
  if (i < 8) values[i] += values[i + 8];
  out[i] = values[i];
}
// One lane waits for what another stores: nobody may hold the other up.
extern "C" __global__ void warp_synchronous_flag(int* out) {
  __shared__ volatile int flag, value;
  const unsigned i = threadIdx.x;
  if (i == 0) flag = 0;
  __syncthreads();
  if (i == 3) {
    while (flag == 0) {
    }
    out[0] = value;
  } else if (i == 20) {
    value = 42;
    __threadfence_block();
    flag = 1;
  }
}

// Prefix sums of a block: many steps with two buffers, and up and down a tree.
extern "C" __global__ void scan_steps(const int* in, int* out) {
  __shared__ int sums[2][256];
  int now = 0;
  sums[0][threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (unsigned int step = 1; step < blockDim.x; step *= 2) {
    sums[1 - now][threadIdx.x] = sums[now][threadIdx.x] + (threadIdx.x >= step ? sums[now][threadIdx.x - step] : 0);
    now = 1 - now;
    __syncthreads();
  }
  out[threadIdx.x] = sums[now][threadIdx.x];
}
extern "C" __global__ void scan_tree(const int* in, int* out) {
  extern __shared__ int sums[];
  const unsigned int n = 2 * blockDim.x, t = threadIdx.x;
  unsigned int offset = 1;
  sums[2 * t] = in[2 * t];
  sums[2 * t + 1] = in[2 * t + 1];
  for (unsigned int d = n / 2; d > 0; d /= 2) {
    __syncthreads();
    if (t < d) sums[offset * (2 * t + 2) - 1] += sums[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) sums[n - 1] = 0;
  for (unsigned int d = 1; d < n; d *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < d) {
      const int left = sums[offset * (2 * t + 1) - 1];
      sums[offset * (2 * t + 1) - 1] = sums[offset * (2 * t + 2) - 1];
      sums[offset * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  out[2 * t] = sums[2 * t];
  out[2 * t + 1] = sums[2 * t + 1];
}

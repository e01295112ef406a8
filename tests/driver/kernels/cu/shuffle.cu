// The four shuffles, with widths below a warp, and types of 8 bytes.
extern "C" __global__ void shuffle(int* out) {
  const int lane = threadIdx.x;
  int* row = out + 32 * 7 * blockIdx.x;
  const int value = 100 + lane;
  row[lane] = __shfl_sync(0xffffffffu, value, (lane + 5) % 32);
  row[32 + lane] = __shfl_up_sync(0xffffffffu, value, 3);
  row[64 + lane] = __shfl_down_sync(0xffffffffu, value, 4);
  row[96 + lane] = __shfl_xor_sync(0xffffffffu, value, 9);
  row[128 + lane] = __shfl_sync(0xffffffffu, value, 2, 8);
  row[160 + lane] = __shfl_up_sync(0xffffffffu, value, 1, 4);
  row[192 + lane] = __shfl_down_sync(0xffffffffu, value, 2, 16);
}
extern "C" __global__ void shuffle_wide(double* a, long long* b) {
  a[threadIdx.x] = __shfl_xor_sync(0xffffffffu, 0.5 + threadIdx.x, 1);
  b[threadIdx.x] = __shfl_down_sync(0xffffffffu, 10000000000ll * threadIdx.x, 2);
}
extern "C" __global__ void shuffle_scan(const int* in, int* out) {
  int sum = in[threadIdx.x];
  const unsigned int lane = threadIdx.x % 32;
  for (unsigned int step = 1; step < 32; step *= 2) {
    const int below = __shfl_up_sync(0xffffffffu, sum, step);
    if (lane >= step) sum += below;
  }
  out[threadIdx.x] = sum;
}

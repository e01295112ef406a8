// An array of each thread's own, indexed by what only the run knows.
extern "C" __global__ void local_array(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int digits[10] = {};
  for (int value = in[i]; value > 0; value /= 10) ++digits[value % 10];
  int most = 0;
  for (int d = 1; d < 10; ++d)
    if (digits[d] > digits[most]) most = d;
  out[i] = most;
}

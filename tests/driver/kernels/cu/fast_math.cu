// The approximations that are one or two instructions.
extern "C" __global__ void fast_math(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i];
  float* row = out + 8 * i;
  row[0] = __sinf(x), row[1] = __cosf(x), row[2] = __expf(x), row[3] = __logf(x + 4);
  row[4] = __log2f(x + 4), row[5] = __powf(x + 4, 1.5f), row[6] = __fdividef(x, 3.0f), row[7] = __saturatef(x);
}

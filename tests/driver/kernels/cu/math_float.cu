// The functions of <cmath> and CUDA for float.
extern "C" __global__ void math_float(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = in[i], a = fabsf(x);
  float* row = out + 32 * i;
  row[0] = sinf(x), row[1] = cosf(x), row[2] = tanf(x), row[3] = expf(x * 0.25f), row[4] = exp2f(x * 0.5f);
  row[5] = logf(a), row[6] = log2f(a), row[7] = log10f(a), row[8] = sqrtf(a), row[9] = rsqrtf(a);
  row[10] = cbrtf(x), row[11] = atanf(x), row[12] = asinf(x / 100), row[13] = acosf(x / 100), row[14] = atan2f(x, 2.5f);
  row[15] = sinhf(x * 0.25f), row[16] = coshf(x * 0.25f), row[17] = tanhf(x * 0.125f), row[18] = asinhf(x), row[19] = acoshf(a + 1);
  row[20] = atanhf(x / 101), row[21] = powf(a, 1.7f), row[22] = hypotf(x, 3), row[23] = fmodf(x, 0.7f), row[24] = erff(x * 0.1f);
  row[25] = erfcf(x * 0.05f), row[26] = tgammaf(a * 0.25f + 0.5f), row[27] = lgammaf(a + 3), row[28] = expm1f(x * 0.1f);
  row[29] = log1pf(a), row[30] = rintf(x) + 2 * floorf(x) + 4 * ceilf(x) + 8 * truncf(x) + 16 * roundf(x), row[31] = sinf(x * 1e6f);
}

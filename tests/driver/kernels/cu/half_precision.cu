// Numbers of 16 bits: arithmetic, comparison, conversion, two at once.
#include <cuda_fp16.h>
extern "C" __global__ void half_precision(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half x = __float2half(a[i]), y = __float2half(b[i]);
  float* row = out + 8 * i;
  row[0] = __half2float(__hadd(x, y));
  row[1] = __half2float(__hsub(x, y));
  row[2] = __half2float(__hmul(x, y));
  row[3] = __half2float(__hdiv(x, y));
  row[4] = __half2float(__hfma(x, y, x));
  row[5] = __hlt(x, y) ? 1.0f : 0.0f;
  row[6] = __half2float(__hneg(x));
  row[7] = static_cast<float>(__half2int_rn(x));
}
extern "C" __global__ void half_pairs(const __half2* a, const __half2* b, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = __hfma2(a[i], b[i], __hadd2(a[i], b[i]));
}

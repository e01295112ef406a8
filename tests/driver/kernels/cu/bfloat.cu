// Numbers with the range of a float and 8 bits.
#include <cuda_bf16.h>
extern "C" __global__ void bfloat(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __nv_bfloat16 x = __float2bfloat16(a[i]), y = __float2bfloat16(b[i]);
  out[5 * i] = __bfloat162float(x);
  out[5 * i + 1] = __bfloat162float(__hadd(x, y));
  out[5 * i + 2] = __bfloat162float(__hmul(x, y));
  out[5 * i + 3] = __bfloat162float(__hfma(x, y, __hneg(x)));
  out[5 * i + 4] = __bfloat162float(__hmax(x, y));
}

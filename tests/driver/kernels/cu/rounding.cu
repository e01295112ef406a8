// The same sums, products and quotients rounded to nearest, to zero, up and down.
extern "C" __global__ void rounding(const float* a, const float* b, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], y = b[i];
  float* row = out + 16 * i;
  row[0] = __fadd_rn(x, y), row[1] = __fadd_rz(x, y), row[2] = __fadd_ru(x, y), row[3] = __fadd_rd(x, y);
  row[4] = __fmul_rn(x, y), row[5] = __fmul_rz(x, y), row[6] = __fmul_ru(x, y), row[7] = __fmul_rd(x, y);
  row[8] = __fdiv_rn(x, y), row[9] = __fdiv_rz(x, y), row[10] = __fdiv_ru(x, y), row[11] = __fdiv_rd(x, y);
  row[12] = __fmaf_rn(x, y, x), row[13] = __fmaf_rz(x, y, x), row[14] = __fmaf_ru(x, y, x), row[15] = __fmaf_rd(x, y, x);
}

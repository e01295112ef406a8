// The functions of <cmath> and CUDA for double.
extern "C" __global__ void math_double(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i], a = fabs(x);
  double* row = out + 32 * i;
  row[0] = sin(x), row[1] = cos(x), row[2] = tan(x), row[3] = exp(x), row[4] = exp2(x);
  row[5] = log(a), row[6] = log2(a), row[7] = log10(a), row[8] = sqrt(a), row[9] = rsqrt(a);
  row[10] = cbrt(x), row[11] = atan(x), row[12] = asin(x / 100), row[13] = acos(x / 100), row[14] = atan2(x, 2.5);
  row[15] = sinh(x), row[16] = cosh(x), row[17] = tanh(x * 0.125), row[18] = asinh(x), row[19] = acosh(a + 1);
  row[20] = atanh(x / 101), row[21] = pow(a, 1.7), row[22] = hypot(x, 3.0), row[23] = fmod(x, 0.7), row[24] = erf(x * 0.1);
  row[25] = erfc(x * 0.05), row[26] = tgamma(a * 0.25 + 0.5), row[27] = lgamma(a + 3), row[28] = expm1(x * 0.1);
  row[29] = log1p(a), row[30] = rint(x) + 2 * floor(x) + 4 * ceil(x) + 8 * trunc(x) + 16 * round(x), row[31] = sin(x * 1e15);
}

// Functions that give two results or take numbers apart.
extern "C" __global__ void math_parts(const double* in, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  double* row = out + 12 * i;
  sincos(x, &row[0], &row[1]);
  int exponent, quotient;
  row[2] = frexp(x, &exponent);
  row[3] = exponent;
  row[4] = modf(x, &row[5]);
  row[6] = remquo(x, 0.3, &quotient);
  row[7] = quotient & 7;
  row[8] = ldexp(x, 5);
  row[9] = nextafter(x, 1000.0);
  row[10] = fma(x, x, -x);
  row[11] = copysign(3.0, x) + fdim(x, 1.0) + fmax(x, 2.0) + fmin(x, 2.0) + static_cast<double>(lround(x)) + ilogb(x);
}

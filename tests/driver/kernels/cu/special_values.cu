// Comparisons, minima and classes of infinities, zeros with signs and not-a-numbers.
extern "C" __global__ void special_values(const float* in, int* out, int n) {
  const int i = blockIdx.x, j = threadIdx.x;
  const float a = in[i], b = in[j];
  int bits = (a < b) | (a <= b) << 1 | (a > b) << 2 | (a >= b) << 3 | (a == b) << 4 | (a != b) << 5;
  bits |= (isnan(a) ? 1 : 0) << 6 | (isinf(b) ? 1 : 0) << 7 | (signbit(a) ? 1 : 0) << 8 | (isfinite(b) ? 1 : 0) << 9;
  bits |= (__float_as_int(fminf(a, b)) == __float_as_int(a) ? 1 : 0) << 10;
  bits |= (!(a < b) && !(a > b) ? 1 : 0) << 11;
  out[i * n + j] = bits;
}

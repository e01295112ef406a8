// Between widths and kinds of numbers, with what does not fit.
extern "C" __global__ void conversions(const double* in, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = in[i];
  const float f = static_cast<float>(x);
  long long* row = out + 12 * i;
  row[0] = __double2int_rz(x);
  row[1] = __double2int_rn(x);
  row[2] = __double2int_ru(x);
  row[3] = __double2int_rd(x);
  row[4] = __double2uint_rz(x);
  row[5] = __double2ll_rn(x);
  row[6] = __float2int_rn(f);
  row[7] = __float2uint_rd(f);
  row[8] = __float_as_int(f);
  row[9] = __double_as_longlong(x);
  row[10] = __float_as_int(__ll2float_rn(row[5]));
  row[11] = __float_as_int(__double2float_rz(x));
}

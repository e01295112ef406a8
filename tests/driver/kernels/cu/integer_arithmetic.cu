// Division, remainder, shifts and products of signed and unsigned numbers, 32 and 64 bits.
extern "C" __global__ void integer_arithmetic(const int* a, const int* b, long long* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = a[i], y = b[i];
  const unsigned int ux = x, uy = y;
  const long long lx = static_cast<long long>(x) * 1000003, ly = y;
  long long* row = out + 12 * i;
  row[0] = y != 0 ? x / y : 0;
  row[1] = y != 0 ? x % y : 0;
  row[2] = uy != 0 ? ux / uy : 0;
  row[3] = uy != 0 ? ux % uy : 0;
  row[4] = x >> (y & 31);
  row[5] = ux >> (uy & 31);
  row[6] = ux << (uy & 31);
  row[7] = ly != 0 ? lx / ly : 0;
  row[8] = ly != 0 ? lx % ly : 0;
  row[9] = lx >> (y & 63);
  row[10] = static_cast<long long>(static_cast<unsigned long long>(lx) * static_cast<unsigned long long>(ly));
  row[11] = (x < y) + 2 * (ux < uy) + 4 * (lx < ly);
}

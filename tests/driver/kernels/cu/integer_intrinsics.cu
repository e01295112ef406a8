// Counting and moving bits, high products, dot products of bytes.
extern "C" __global__ void integer_intrinsics(const unsigned int* a, const unsigned int* b, unsigned int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned int x = a[i], y = b[i];
  const unsigned long long wide = static_cast<unsigned long long>(x) << 32 | y;
  unsigned int* row = out + 20 * i;
  row[0] = __popc(x);
  row[1] = __clz(static_cast<int>(x));
  row[2] = __ffs(static_cast<int>(x));
  row[3] = __brev(x);
  row[4] = __byte_perm(x, y, 0x7250);
  row[5] = static_cast<unsigned int>(__mulhi(static_cast<int>(x), static_cast<int>(y)));
  row[6] = __umulhi(x, y);
  row[7] = static_cast<unsigned int>(__mul24(static_cast<int>(x), static_cast<int>(y)));
  row[8] = __umul24(x, y);
  row[9] = __sad(static_cast<int>(x), static_cast<int>(y), 3);
  row[10] = __usad(x, y, 3);
  row[11] = __funnelshift_l(x, y, y);
  row[12] = __funnelshift_r(x, y, y);
  row[13] = static_cast<unsigned int>(__dp4a(static_cast<int>(x), static_cast<int>(y), 5));
  row[14] = __dp4a(x, y, 5u);
  row[15] = __popcll(wide);
  row[16] = __clzll(static_cast<long long>(wide >> (y & 63)));
  row[17] = __ffsll(static_cast<long long>(wide << (x & 63)));
  row[18] = static_cast<unsigned int>(__brevll(wide) >> 7);
  row[19] = static_cast<unsigned int>(__umul64hi(wide, wide + 12345));
}

// Bytes and halves of words: sign, wrapping, stores that leave the neighbour alone.
extern "C" __global__ void small_types(const signed char* a, const unsigned char* b, short* c, unsigned short* d, signed char* e, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  c[i] = static_cast<short>(a[i] * b[i]);
  d[i] = static_cast<unsigned short>(a[i] - b[i]);
  e[i] = static_cast<signed char>(a[i] + b[i]);
}

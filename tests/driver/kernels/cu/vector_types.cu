// Loads and stores of two and four elements at once.
extern "C" __global__ void vector_types(const float4* a, const int2* b, uchar4* c, double2* d, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = a[i];
  const int2 w = b[i];
  c[i] = make_uchar4(static_cast<unsigned char>(v.x), static_cast<unsigned char>(v.y), static_cast<unsigned char>(w.x),
                     static_cast<unsigned char>(w.y));
  d[i] = make_double2(v.z + w.x, v.w - w.y);
}

// c = a + b, one thread for each element. The last block has more threads than elements.
extern "C" __global__ void VecAdd(const float* a, const float* b, float* c, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

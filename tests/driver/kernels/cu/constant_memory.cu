// A table that the host fills, and one with its values in the source.
__constant__ float host_table[16];
__constant__ int own_table[] = {2, 3, 5, 7, 11, 13, 17, 19};
extern "C" __global__ void constant_memory(const int* which, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = host_table[which[i] % 16] + own_table[which[i] % 8];
}

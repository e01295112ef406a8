// Any grid for any length: each thread goes on by the size of the grid.
extern "C" __global__ void grid_stride(const int* in, int* out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = 3 * in[i] + 1;
}

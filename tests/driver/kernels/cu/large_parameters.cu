// More than 4 KiB of parameters: a table that is passed by value, and of which each thread takes its part.
struct Table { int of[2000]; };
extern "C" __global__ void large_parameters(const __grid_constant__ Table table, int factor, int* out) {
  int sum = 0;
  for (int i = int(threadIdx.x); i < 2000; i += int(blockDim.x)) sum += table.of[i] * (i % 7 + factor);
  out[threadIdx.x] = sum;
}

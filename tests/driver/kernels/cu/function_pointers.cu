// Calls by a pointer from a table, and by one that a kernel wrote.
__device__ int add_one(int x) { return x + 1; }
__device__ int twice(int x) { return 2 * x; }
__device__ int square(int x) { return x * x; }
typedef int (*Function)(int);
__device__ Function table[] = {add_one, twice, square};
extern "C" __global__ void function_pointers(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Function f = table[i % 3], g = i % 2 == 0 ? square : add_one;
  out[i] = g(f(i));
}

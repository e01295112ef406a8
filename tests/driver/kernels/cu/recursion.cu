// Functions that call themselves and each other.
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int is_odd(int n);
__device__ __noinline__ int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
__device__ __noinline__ int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
__device__ int ackermann(int m, int n) { return m == 0 ? n + 1 : (n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1))); }
extern "C" __global__ void recursion(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[3 * i] = fibonacci(i % 12);
  out[3 * i + 1] = is_even(i);
  out[3 * i + 2] = ackermann(2, i % 4);
}

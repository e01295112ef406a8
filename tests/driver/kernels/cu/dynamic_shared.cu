// One piece of dynamic shared memory, cut into parts of different types.
extern "C" __global__ void dynamic_shared(const int* in, double* out, int n) {
  extern __shared__ double doubles[];
  int* ints = reinterpret_cast<int*>(doubles + n);
  ints[threadIdx.x] = in[threadIdx.x];
  doubles[threadIdx.x] = 0.5 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = doubles[n - 1 - threadIdx.x] + ints[(threadIdx.x + 1) % n];
}

// One pointer that leads to global, shared or local memory, as the thread's number says.
__device__ __noinline__ int through(const int* where) { return 2 * *where; }
extern "C" __global__ void generic_pointer(const int* in, int* out) {
  __shared__ int here[64];
  int own = 1000 + static_cast<int>(threadIdx.x);
  here[threadIdx.x] = 100 + static_cast<int>(threadIdx.x);
  __syncthreads();
  const int* where = threadIdx.x % 3 == 0 ? &in[threadIdx.x] : (threadIdx.x % 3 == 1 ? &here[63 - threadIdx.x] : &own);
  out[threadIdx.x] = through(where);
}

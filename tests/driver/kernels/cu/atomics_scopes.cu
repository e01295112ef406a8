// The _block and _system forms, in shared and global memory.
extern "C" __global__ void atomics_scopes(int* out, unsigned long long* wide) {
  __shared__ int here;
  if (threadIdx.x == 0) here = 0;
  __syncthreads();
  atomicAdd_block(&here, 2);
  atomicAdd_system(&out[gridDim.x], 1);
  atomicAdd_system(wide, 3ull);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = here;
}

// The kernels of lesson 28: each counts in `total`, so that the program sees what was launched.

// Each thread adds 1.
extern "C" __global__ void count(unsigned* total) {
  atomicAdd(total, 1);
}

// The same, compiled for blocks of 128 threads or fewer.
extern "C" __global__ void __launch_bounds__(128) bounded(unsigned* total) {
  atomicAdd(total, 1);
}

// Fills `bytes` of dynamic shared memory, and adds the number of words in which it finds what another thread
// has written. A block has at most 256 threads.
extern "C" __global__ void tile(unsigned* total, unsigned bytes) {
  __shared__ unsigned found[256];      // static: the kernel declares how much
  extern __shared__ unsigned given[];  // dynamic: the launch gives it
  const unsigned own = threadIdx.x, words = bytes / sizeof(unsigned);
  for (unsigned at = own; at < words; at += blockDim.x) given[at] = 1;
  __syncthreads();
  found[own] = 0;
  for (unsigned at = own; at < words; at += blockDim.x) found[own] += given[words - 1 - at];
  __syncthreads();
  atomicAdd(total, found[own]);
}

// Each block adds 1, and waits until all blocks of the grid have done so.
extern "C" __global__ void meet(unsigned* total) {
  if (threadIdx.x != 0) return;
  atomicAdd(total, 1);
  while (atomicAdd(total, 0) < gridDim.x) {
  }
}

// The kernels that find out where they run. libplaces.so launches them.
#include <cooperative_groups.h>

// Pinned memory, as in places.c: where each block runs; 1 when all of them run; 1 when they may end.
struct Pinned {
  unsigned places[4096], urgent;
  volatile unsigned running, released;
};

__device__ unsigned multiprocessor() {
  unsigned number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

// Writes where each block runs. No block ends before all have begun and the host has released them.
extern "C" __global__ void where(Pinned* pinned) {
  if (threadIdx.x == 0) pinned->places[blockIdx.x] = multiprocessor();
  cooperative_groups::this_grid().sync();
  if (threadIdx.x == 0) {
    pinned->running = 1;
    while (pinned->released == 0) {
    }
  }
  __syncthreads();  // all threads of the block wait, so it keeps its room on the multiprocessor
}

// Writes where its only block runs, and waits for nothing.
extern "C" __global__ void urgent(Pinned* pinned) {
  pinned->urgent = multiprocessor();
}

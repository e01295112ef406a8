// malloc and free on the device; memory that one thread makes and another reads.
#ifndef __CUDACC_RTC__
#include <cstdlib>
#endif
extern "C" __global__ void heap(int* out) {
  __shared__ int* list;
  if (threadIdx.x == 0) list = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
  __syncthreads();
  list[threadIdx.x] = static_cast<int>(blockIdx.x * 1000 + threadIdx.x);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = list[blockDim.x - 1 - threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) free(list);
  int* own = static_cast<int*>(malloc(24));
  own[5] = static_cast<int>(threadIdx.x);
  out[blockIdx.x * blockDim.x + threadIdx.x] += own[5];
  free(own);
}

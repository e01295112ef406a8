// assert: one that holds, one that does not.
#ifndef __CUDACC_RTC__
#include <cassert>
#endif
extern "C" __global__ void check(int* out, int limit) {
  assert(threadIdx.x < static_cast<unsigned int>(limit));
  out[threadIdx.x] = 1;
}

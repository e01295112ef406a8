// Exercise 31, a wrong answer: there is one split, but both green contexts are made of its first group.
#include "check.hpp"
#include "places.h"

#if CUDA_VERSION < 12050  // CUDA 12.4 has green contexts, but its header does not declare this function
extern "C" CUresult cuGreenCtxStreamCreate(CUstream*, CUgreenCtx, unsigned int, int);
#endif

constexpr CUdevResourceType kSm = CU_DEV_RESOURCE_TYPE_SM;

namespace division {  // change this namespace only

// A green context of this resource.
CUgreenCtx green_context(CUdevResource resource) {
  CUdevResourceDesc descriptor = nullptr;
  CUgreenCtx green = nullptr;
  check(cuDevResourceGenerateDesc(&descriptor, &resource, 1));
  check(cuGreenCtxCreate(&green, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  return green;
}

// Two parts of the device: for long kernels, and for urgent ones. No multiprocessor may be in both.
void make(unsigned least, CUgreenCtx* background, CUgreenCtx* urgent) {
  CUdevResource all = {}, groups[2] = {};
  unsigned count = 2;
  check(cuDeviceGetDevResource(0, &all, kSm));
  check(cuDevSmResourceSplitByCount(groups, &count, &all, nullptr, 0, least));
  *background = green_context(groups[0]);
  *urgent = green_context(groups[0]);
}

}  // namespace division

// Where the kernels of a green context run.
Places of(CUgreenCtx green) {
  CUstream stream = nullptr;
  CUdevResource own = {};
  check(cuGreenCtxGetDevResource(green, &own, kSm));
  check(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
  const Places found = places_run(stream, own.sm.smCount);
  check(cuStreamDestroy(stream));
  return found;
}

int main() {
  CUcontext primary = nullptr;
  CUgreenCtx background = nullptr, urgent = nullptr;
  CUdevResource all = {}, smallest = {};
  unsigned one = 1;
  check(cuInit(0));
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuCtxSetCurrent(primary));
  places_open(lesson::beside_program("kernels.ptx").c_str());

  // One more than the smallest group has, so on every device the driver has to round up.
  check(cuDeviceGetDevResource(0, &all, kSm));
  check(cuDevSmResourceSplitByCount(&smallest, &one, &all, nullptr, 0, 1));
  const unsigned least = smallest.sm.smCount + 1;
  division::make(least, &background, &urgent);
  const Places first = of(background), second = of(urgent);
  claim("each part has as many multiprocessors as asked for", first.count >= least && second.count >= least);
  claim("no multiprocessor is in both parts", places_in_common(&first, &second) == 0);

  for (CUgreenCtx green : {background, urgent}) check(cuGreenCtxDestroy(green));
  places_close();
  check(cuCtxSetCurrent(nullptr));
  check(cuDevicePrimaryCtxRelease(0));
}

// Exercise 31, one way to do it: one split, and green contexts of the group and of the rest.
#include "check.hpp"
#include "places.h"

#if CUDA_VERSION < 12050  // CUDA 12.4 has green contexts, but its header does not declare this function
extern "C" CUresult cuGreenCtxStreamCreate(CUstream*, CUgreenCtx, unsigned int, int);
#endif

constexpr CUdevResourceType kSm = CU_DEV_RESOURCE_TYPE_SM;

namespace service {  // change this namespace only

CUstream background = nullptr, urgent = nullptr;
CUgreenCtx greens[2] = {};

// A green context of this resource, with a stream.
void make(CUdevResource resource, CUgreenCtx* green, CUstream* stream) {
  CUdevResourceDesc descriptor = nullptr;
  check(cuDevResourceGenerateDesc(&descriptor, &resource, 1));
  check(cuGreenCtxCreate(green, descriptor, 0, CU_GREEN_CTX_DEFAULT_STREAM));
  check(cuGreenCtxStreamCreate(stream, *green, CU_STREAM_NON_BLOCKING, 0));
}

// Divides the device: kernels in `urgent` get the smallest group with at least so many multiprocessors, and
// kernels in `background` get all the others.
void open(unsigned least) {
  CUdevResource all = {}, group = {}, rest = {};
  unsigned one = 1;
  check(cuDeviceGetDevResource(0, &all, kSm));
  check(cuDevSmResourceSplitByCount(&group, &one, &all, &rest, 0, least));
  make(group, &greens[0], &urgent);
  make(rest, &greens[1], &background);
}

// Destroys what open() has made.
void close() {
  for (CUstream stream : {background, urgent}) check(cuStreamDestroy(stream));
  for (CUgreenCtx green : greens) check(cuGreenCtxDestroy(green));
}

}  // namespace service

// How many multiprocessors the kernels in a stream have.
unsigned share_of(CUstream stream) {
  CUgreenCtx green = nullptr;
  CUdevResource own = {};
  check(cuStreamGetGreenCtx(stream, &green));
  if (green != nullptr) check(cuGreenCtxGetDevResource(green, &own, kSm));
  if (green == nullptr) check(cuDeviceGetDevResource(0, &own, kSm));
  return own.sm.smCount;
}

int main() {
  CUcontext primary = nullptr;
  CUdevResource all = {}, smallest = {}, group = {};
  int active = 0;
  unsigned flags = 0, served = 0, one = 1;
  check(cuInit(0));
  check(cuDeviceGetDevResource(0, &all, kSm));
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuCtxSetCurrent(primary));
  places_open(lesson::beside_program("kernels.ptx").c_str());

  // One more than the smallest group has, so on every device the driver has to round up.
  check(cuDevSmResourceSplitByCount(&smallest, &one, &all, nullptr, 0, 1));
  const unsigned least = smallest.sm.smCount + 1;
  check(cuDevSmResourceSplitByCount(&group, &one, &all, nullptr, 0, least));
  service::open(least);
  const unsigned share = share_of(service::background);
  const Places large = places_run(service::background, share);
  const Places small = places_run(service::urgent, share_of(service::urgent));
  claim("no multiprocessor is in both parts", places_in_common(&large, &small) == 0);
  claim("the urgent part is the smallest group that has enough", small.count == group.sm.smCount);
  claim("the background has all the others", large.count + small.count == all.sm.smCount);

  places_launch_urgent(service::urgent);
  check(places_hold(service::background, share));
  for (int request = 0; request < 3; ++request) {
    places_launch_urgent(service::urgent);
    check(cuStreamSynchronize(service::urgent));
    served += small.used[places_of_urgent()];
  }
  claim("three requests were served while the background was busy",
        served == 3 && cuStreamQuery(service::background) == CUDA_ERROR_NOT_READY);
  places_release();
  check(cuStreamSynchronize(service::background));

  service::close();
  places_close();
  check(cuCtxSetCurrent(nullptr));
  check(cuDevicePrimaryCtxRelease(0));
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("nothing keeps the primary context active", active == 0);
}

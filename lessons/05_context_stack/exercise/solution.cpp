// Exercise 05, one way to do it: creating a context pushes it, so open() pops; every push in work() has its
// pop.
#include "check.hpp"

namespace library {

CUcontext own = nullptr;

void open() {
  CUdevice device = 0;
  check(cuDeviceGet(&device, 0));
  check(create_context(&own, 0, device));
  check(cuCtxPopCurrent(nullptr));
}

void work() {
  CUdeviceptr scratch = 0;
  check(cuCtxPushCurrent(own));
  check(cuMemAlloc(&scratch, lesson::KiB));
  check(cuMemsetD8(scratch, 0, lesson::KiB));
  check(cuMemFree(scratch));
  check(cuCtxPopCurrent(nullptr));
}

void close() {
  check(cuCtxDestroy(own));
}

}  // namespace library

int main() {
  CUdevice device = 0;
  CUcontext application = nullptr, current = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&application, 0, device));

  library::open();
  check(cuCtxGetCurrent(&current));
  claim("after open() the application's context is current", current == application);
  library::work();
  check(cuCtxGetCurrent(&current));
  claim("after work() the application's context is current", current == application);
  library::close();

  check(cuCtxDestroy(application));
}

// Exercise 14, a wrong answer: set the context, work, set null. The caller's context is then no longer on the
// stack.
#include "check.hpp"

namespace library {  // change this namespace only

CUcontext primary = nullptr;
CUdevice device = 0;

void open() {
  check(cuDeviceGet(&device, 0));
  check(cuDevicePrimaryCtxRetain(&primary, device));
}

void work() {
  CUdeviceptr scratch = 0;
  check(cuCtxSetCurrent(primary));
  check(cuMemAlloc(&scratch, lesson::KiB));
  check(cuMemsetD8(scratch, 0, lesson::KiB));
  check(cuMemFree(scratch));
  check(cuCtxSetCurrent(nullptr));
}

void close() {
  check(cuDevicePrimaryCtxRelease(device));
}

}  // namespace library

int main() {
  CUdevice device = 0;
  CUcontext primary = nullptr, application = nullptr, current = nullptr;
  CUdeviceptr kept = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cuDevicePrimaryCtxRetain(&primary, device));
  check(cuCtxPushCurrent(primary));
  check(cuMemAlloc(&kept, lesson::KiB));
  check(create_context(&application, 0, device));

  library::open();
  check(cuCtxGetCurrent(&current));
  claim("after open() the application's context is current", current == application);
  library::work();
  check(cuCtxGetCurrent(&current));
  claim("after work() the application's context is current", current == application);
  library::close();

  check(cuCtxDestroy(application));
  check(cuMemsetD8(kept, 1, lesson::KiB));  // does the memory still exist?
  check(cuMemFree(kept));
  check(cuCtxPopCurrent(nullptr));
  check(cuDevicePrimaryCtxRelease(device));
}

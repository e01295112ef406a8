// Exercise 04, one way to do it: the worker makes the context current on its own thread, frees its buffer,
// and leaves its thread without a current context; the main thread destroys the context.
#include <thread>

#include "check.hpp"

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));

  std::thread worker([&] {
    CUdeviceptr buffer = 0;
    check(cuCtxSetCurrent(context));
    check(cuMemAlloc(&buffer, lesson::KiB));
    check(cuMemsetD8(buffer, 42, lesson::KiB));
    check(cuMemFree(buffer));
    check(cuCtxSetCurrent(nullptr));
  });
  worker.join();
  check(cuCtxDestroy(context));
}

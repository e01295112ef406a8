// Exercise 04, a wrong answer: "a thread needs a context of its own". It works, but this context is never
// destroyed.
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
    CUcontext own = nullptr;
    check(create_context(&own, 0, device));
    check(cuMemAlloc(&buffer, lesson::KiB));
    check(cuMemsetD8(buffer, 42, lesson::KiB));
    check(cuMemFree(buffer));
    check(cuCtxSetCurrent(nullptr));
  });
  worker.join();
  check(cuCtxDestroy(context));
}

// Exercise 04, a wrong answer: the context is destroyed before the worker uses it.
#include <thread>

#include "check.hpp"

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));

  check(cuCtxDestroy(context));
  std::thread worker([&] {
    CUdeviceptr buffer = 0;
    check(cuCtxSetCurrent(context));
    check(cuMemAlloc(&buffer, lesson::KiB));
    check(cuMemsetD8(buffer, 42, lesson::KiB));
    check(cuMemFree(buffer));
    check(cuCtxSetCurrent(nullptr));
  });
  worker.join();
}

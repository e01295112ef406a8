// Exercise 06, a wrong answer: it works, but the application's context stays on the worker's stack.
#include <thread>

#include "check.hpp"

// Runs on the worker thread. Change this function only.
CUdeviceptr make_buffer(CUcontext application) {
  CUdeviceptr buffer = 0;
  check(cuCtxSetCurrent(application));
  check(cuMemAlloc(&buffer, lesson::KiB));
  check(cuMemsetD8(buffer, 7, lesson::KiB));
  return buffer;
}

int main() {
  CUdevice device = 0;
  CUcontext application = nullptr, owner = nullptr, left = nullptr;
  CUdeviceptr buffer = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&application, 0, device));

  std::thread worker([&] {
    buffer = make_buffer(application);
    check(cuCtxGetCurrent(&left));
  });
  worker.join();

  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, buffer));
  claim("the buffer belongs to the application's context", owner == application);
  claim("the worker's stack is empty again", left == nullptr);
  check(cuMemFree(buffer));
  check(cuCtxDestroy(application));
}

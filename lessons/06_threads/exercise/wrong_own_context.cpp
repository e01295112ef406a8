// Exercise 06, a wrong answer: "each thread needs a context of its own". The buffer then belongs to that
// context.
#include <thread>

#include "check.hpp"

// Runs on the worker thread. Change this function only.
CUdeviceptr make_buffer([[maybe_unused]] CUcontext application) {
  CUdeviceptr buffer = 0;
  CUcontext own = nullptr;
  CUdevice device = 0;
  check(cuDeviceGet(&device, 0));
  check(create_context(&own, 0, device));
  check(cuMemAlloc(&buffer, lesson::KiB));
  check(cuMemsetD8(buffer, 7, lesson::KiB));
  check(cuCtxPopCurrent(nullptr));
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

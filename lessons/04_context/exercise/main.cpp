// Exercise 04: a worker thread should fill a buffer. It cannot do so yet, and the program frees nothing.
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
    check(cuMemAlloc(&buffer, lesson::KiB));
    check(cuMemsetD8(buffer, 42, lesson::KiB));
  });
  worker.join();
}

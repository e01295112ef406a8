// Exercise 02, a wrong answer: the program does not check the result, so the fill gets the address 0.
#include "check.hpp"

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));

  CUdeviceptr buffer = 0;
  std::size_t bytes = std::size_t{1} << 50;
  static_cast<void>(cuMemAlloc(&buffer, bytes));

  std::printf("%zu bytes\n", bytes);
  check(cuMemsetD8(buffer, 0, 1));
  check(cuMemFree(buffer));
  check(cuCtxDestroy(context));
}

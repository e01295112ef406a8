// Exercise 02: allocate a buffer that is as large as possible, at most 1 PiB. This version ends at the first
// error.
#include "check.hpp"

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));

  CUdeviceptr buffer = 0;
  std::size_t bytes = std::size_t{1} << 50;
  check(cuMemAlloc(&buffer, bytes));

  std::printf("%zu bytes\n", bytes);
  check(cuMemsetD8(buffer, 0, 1));
}

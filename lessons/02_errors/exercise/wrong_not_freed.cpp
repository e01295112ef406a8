// Exercise 02, a wrong answer: the allocation succeeds and is freed, but the context is never destroyed.
#include "check.hpp"

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));

  CUdeviceptr buffer = 0;
  std::size_t bytes = std::size_t{1} << 50;
  CUresult result = cuMemAlloc(&buffer, bytes);
  while (result == CUDA_ERROR_OUT_OF_MEMORY && bytes > 1) {
    bytes /= 2;
    result = cuMemAlloc(&buffer, bytes);
  }
  check(result);

  std::printf("%zu bytes\n", bytes);
  check(cuMemsetD8(buffer, 0, 1));
  check(cuMemFree(buffer));
}

// Exercise 02, a wrong answer: the refusal is not looked at, and the fill gets an address that is 0.
#include "check.hpp"

int main() {
  CUcontext context = nullptr;
  check(cuInit(0));
  check(create_context(&context, 0, 0));

  CUdeviceptr buffer = 0;
  std::size_t bytes = std::size_t{1} << 50;
  static_cast<void>(cuMemAlloc(&buffer, bytes));

  std::printf("%zu bytes\n", bytes);
  check(cuMemsetD8(buffer, 0, 1));
  check(cuMemFree(buffer));
  check(cuCtxDestroy(context));
}

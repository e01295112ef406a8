// Someone else's library, seen from outside as one C function. It works in whatever context is current, tells
// nobody which that was, and leaves the memory to its caller. Its source is here so that one can watch it; in
// life one has only the declaration.
#include <array>

#include "check.hpp"

extern "C" CUdeviceptr generate_gpu_data() {
  std::array<float, 32> numbers = {};
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i);
  CUdeviceptr memory = 0;
  check(cuMemAlloc(&memory, sizeof numbers));
  check(cuMemcpyHtoD(memory, numbers.data(), sizeof numbers));
  return memory;
}

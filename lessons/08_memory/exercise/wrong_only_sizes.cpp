// Exercise 08, a wrong answer: the sizes are right, but not all buffers are freed.
#include <array>
#include <numeric>

#include "check.hpp"

using Numbers = std::array<int, 256>;

int in_use = 0;  // buffers that were allocated and are not freed yet

CUdeviceptr allocate(std::size_t bytes) {
  CUdeviceptr address = 0;
  check(cuMemAlloc(&address, bytes));
  ++in_use;
  return address;
}

void give_back(CUdeviceptr address) {
  check(cuMemFree(address));
  --in_use;
}

// Copies to the device, there into a second buffer, and back from it. Change this function only.
bool through_the_device(const Numbers& in, Numbers& out, bool give_up) {
  const CUdeviceptr first = allocate(sizeof in);
  const CUdeviceptr second = allocate(sizeof in);
  check(cuMemcpyHtoD(first, in.data(), sizeof in));
  if (give_up) return false;
  check(cuMemcpyDtoD(second, first, sizeof in));
  check(cuMemcpyDtoH(out.data(), second, sizeof out));
  give_back(first);
  return true;
}

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  Numbers numbers = {}, back = {};
  std::iota(numbers.begin(), numbers.end(), 1);
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));
  claim("it returns early when told to", !through_the_device(numbers, back, true));
  claim("otherwise it runs to its end", through_the_device(numbers, back, false));
  claim("all numbers came back", back == numbers);
  claim("no buffer is left behind", in_use == 0);
  check(cuCtxDestroy(context));
}

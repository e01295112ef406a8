// Exercise 07, a wrong answer: "without a context of my own I cannot allocate". The memory then belongs to
// that context, and not to the primary one.
#include <array>

#include "check.hpp"

void copy_there_and_back(CUdevice device) {  // change this function only
  CUcontext primary = nullptr, owner = nullptr, own = nullptr;
  CUdeviceptr memory = 0;
  std::array<int, 100> numbers = {}, back = {};
  for (int i = 0; i < 100; ++i) numbers[static_cast<std::size_t>(i)] = i;

  check(cuDevicePrimaryCtxRetain(&primary, device));
  check(create_context(&own, 0, device));
  check(cuMemAlloc(&memory, sizeof numbers));
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  claim("the memory belongs to the primary context", owner == primary);
  check(cuMemcpyHtoD(memory, numbers.data(), sizeof numbers));
  check(cuMemcpyDtoH(back.data(), memory, sizeof back));
  claim("the numbers came back", back == numbers);
  check(cuMemFree(memory));
  check(cuCtxDestroy(own));
  check(cuDevicePrimaryCtxRelease(device));
}

int main() {
  int devices = 0, active = 0;
  unsigned flags = 0;
  CUcontext current = nullptr;
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  for (int ordinal = 0; ordinal < devices; ++ordinal) {
    CUdevice device = 0;
    check(cuDeviceGet(&device, ordinal));
    copy_there_and_back(device);
    check(cuCtxGetCurrent(&current));
    claim("nothing was left on the stack", current == nullptr);
    check(cuDevicePrimaryCtxGetState(device, &flags, &active));
    claim("the primary context is no longer active", active == 0);
  }
}

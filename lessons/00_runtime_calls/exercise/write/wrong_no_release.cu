// Exercise 00, a wrong answer: the retain is not given back, so the primary context stays active.
#include "check.hpp"

constexpr int kCount = 64;
constexpr std::size_t kBytes = kCount * sizeof(int);

// Copies the numbers to the device and back, with calls of the driver only.
void round_trip(const int* from, int* to) {
  CUcontext primary = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuCtxSetCurrent(primary));
  check(cuMemAlloc(&memory, kBytes));
  check(cuMemcpyHtoD(memory, from, kBytes));
  check(cuMemcpyDtoH(to, memory, kBytes));
  check(cuMemFree(memory));
  check(cuCtxSetCurrent(nullptr));
}

int main() {
  int from[kCount], to[kCount] = {}, equal = 0, active = 0;
  unsigned flags = 0;
  CUcontext current = nullptr;
  for (int i = 0; i < kCount; ++i) from[i] = i + 1;

  round_trip(from, to);
  for (int i = 0; i < kCount; ++i) equal += from[i] == to[i];
  claim("64 numbers went to the device and back", equal == kCount);
  check(cuCtxGetCurrent(&current));
  claim("no context is current", current == nullptr);
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("and the primary context is not active", active == 0);
}

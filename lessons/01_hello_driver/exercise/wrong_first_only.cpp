// Exercise 01, a wrong answer: the order is right, but the program lists only device 0.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuInit(0));
  check(cuDeviceGetCount(&count));

  for (int ordinal = 0; ordinal < 1; ++ordinal) {
    CUdevice device = 0;
    char name[100] = {};
    std::size_t bytes = 0;
    check(cuDeviceGet(&device, ordinal));
    check(cuDeviceGetName(name, sizeof name, device));
    check(cuDeviceTotalMem(&bytes, device));
    std::printf("device %d of %d: %s, %zu MiB\n", ordinal, count, name, bytes / lesson::MiB);
  }
}

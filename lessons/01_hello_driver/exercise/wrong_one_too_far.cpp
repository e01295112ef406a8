// Exercise 01, a wrong answer: the loop runs up to the count. The numbers begin at 0, so the last one is the
// count minus 1.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuInit(0));
  check(cuDeviceGetCount(&count));

  for (int ordinal = 0; ordinal <= count; ++ordinal) {
    CUdevice device = 0;
    char name[100] = {};
    std::size_t bytes = 0;
    check(cuDeviceGet(&device, ordinal));
    check(cuDeviceGetName(name, sizeof name, device));
    check(cuDeviceTotalMem(&bytes, device));
    std::printf("device %d of %d: %s, %zu MiB\n", ordinal, count, name, bytes / lesson::MiB);
  }
}

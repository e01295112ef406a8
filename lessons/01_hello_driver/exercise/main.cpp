// Exercise 01: list all devices with their memory. The first two calls are in the wrong order, and the
// program stops after the first device.
#include "check.hpp"

int main() {
  int count = 0;
  check(cuDeviceGetCount(&count));
  check(cuInit(0));

  char name[100] = {};
  std::size_t bytes = 0;
  check(cuDeviceGetName(name, sizeof name, 0));
  check(cuDeviceTotalMem(&bytes, 0));
  std::printf("device 0 of %d: %s, %zu MiB\n", count, name, bytes / lesson::MiB);
}

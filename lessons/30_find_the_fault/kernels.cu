// Four kernels with the same parameters. Each writes `value` to `to`, unless `to` is null and it checks that.
#include <cassert>
#include <cstdio>

// Does not check the pointer.
extern "C" __global__ void store(int* to, int value) {
  *to = value;
}

// Ends the launch if the pointer is null, and prints nothing.
extern "C" __global__ void store_or_trap(int* to, int value) {
  if (to == nullptr) __trap();
  *to = value;
}

// Ends the launch too, and the driver prints the condition, the line and the thread.
extern "C" __global__ void store_or_assert(int* to, int value) {
  assert(to != nullptr);
  *to = value;
}

// Goes on, and prints the value that has no place.
extern "C" __global__ void store_or_print(int* to, int value) {
  if (to == nullptr)
    printf("there is no place for %d\n", value);
  else
    *to = value;
}

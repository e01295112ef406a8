// SPDX-License-Identifier: MIT
// Replaces the driver and ends the program at its first call, so that only the start is timed. The other
// functions are bound lazily and never called.
#include <unistd.h>

__attribute__((visibility("default"))) int cuInit(unsigned flags) {
  (void)flags;
  _exit(0);
}

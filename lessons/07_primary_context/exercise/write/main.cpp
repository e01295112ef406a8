// Exercise 07, to write: a library keeps a buffer in the primary context between two calls. Meanwhile the
// program releases the context and retains it again. A buffer of the old context must not be used then.
#include "check.hpp"

namespace library {  // write buffer(), and the variables that it needs

// Returns a buffer of 1 KiB in the current context, which is the primary context of device 0. As long as
// this is the same context, every call returns the same buffer; in a new context the library makes a new
// one. The library does not retain the context, so that the program can end it.
CUdeviceptr buffer() {
  return 0;
}

}  // namespace library

// Leave main() as it is: it uses the library, and so does the rest of the process.
int main() {
  CUcontext primary = nullptr, again = nullptr;
  unsigned flags = 0;
  int active = 0;
  check(cuInit(0));
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuCtxSetCurrent(primary));

  const CUdeviceptr first = library::buffer();
  check(cuMemsetD8(first, 1, lesson::KiB));
  claim("the second call returns the same buffer", library::buffer() == first);

  check(cuDevicePrimaryCtxRelease(0));
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("after the last release the primary context is not active", active == 0);
  check(cuDevicePrimaryCtxRetain(&again, 0));
  claim("a new retain returns the same handle", again == primary);

  const CUdeviceptr third = library::buffer();
  check(cuMemsetD8(third, 3, lesson::KiB));
  claim("the fourth call returns the same buffer as the third", library::buffer() == third);
  check(cuMemFree(third));
  check(cuCtxPopCurrent(nullptr));
  check(cuDevicePrimaryCtxRelease(0));
}

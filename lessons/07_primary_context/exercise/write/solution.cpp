// Exercise 07, one way to do it: the library remembers of which context its buffer is, by the number that
// cuCtxGetId gives. A handle does not tell: the new primary context has the old handle.
#include "check.hpp"

namespace library {  // write buffer(), and the variables that it needs

CUdeviceptr kept = 0;
unsigned long long kept_in = 0;

CUdeviceptr buffer() {
  CUcontext context = nullptr;
  unsigned long long id = 0;
  check(cuCtxGetCurrent(&context));
  check(cuCtxGetId(context, &id));
  if (kept == 0 || kept_in != id) {
    check(cuMemAlloc(&kept, lesson::KiB));
    kept_in = id;
  }
  return kept;
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

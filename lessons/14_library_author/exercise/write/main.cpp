// Exercise 14, to write: a function of a library that leaves everything
// as it was, also when one of its calls fails. Write its body.
#include "check.hpp"

namespace library {  // change this namespace only

// Fills `bytes` bytes of new device memory in the primary context of device 0 with `value`, and copies the
// last one to `*last`. Returns the first error, or CUDA_SUCCESS. It never ends the program. Whatever it
// returns, its caller's context is current again, its memory is freed, and its retain is released.
CUresult last_of_filled([[maybe_unused]] unsigned char value, [[maybe_unused]] std::size_t bytes,
                        [[maybe_unused]] unsigned char* last) {
  // Write this function: retain, push, allocate, fill and copy, and then undo what was done.
  return CUDA_ERROR_NOT_SUPPORTED;
}

}  // namespace library

void nothing_is_left(CUcontext caller) {
  CUcontext current = nullptr;
  unsigned flags = 0;
  int active = 1;
  check(cuCtxGetCurrent(&current));
  claim("the caller's context is current", current == caller);
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  claim("and the primary context is not active", active == 0);
}

int main() {
  CUcontext application = nullptr;
  unsigned char last = 0;
  check(cuInit(0));
  check(create_context(&application, 0, 0));

  claim("1 KiB can be filled", library::last_of_filled(7, lesson::KiB, &last) == CUDA_SUCCESS && last == 7);
  nothing_is_left(application);
  const CUresult too_much = library::last_of_filled(7, std::size_t{1} << 50, &last);
  claim("1 PiB is too much, and the library says so", too_much == CUDA_ERROR_OUT_OF_MEMORY);
  nothing_is_left(application);
  const CUresult no_place = library::last_of_filled(7, lesson::KiB, nullptr);
  claim("a null pointer is refused, after the fill", no_place == CUDA_ERROR_INVALID_VALUE);
  nothing_is_left(application);

  check(cuCtxDestroy(application));
  claim("it works for a caller without a context", library::last_of_filled(9, 64, &last) == CUDA_SUCCESS);
  claim("and has filled the memory", last == 9);
  nothing_is_left(nullptr);
}

// check.hpp for calls of NVRTC: the same check(…) and expect(ERROR, …), which report an nvrtcResult by its
// name. It is not in check.hpp because most lessons compile their kernels beforehand.
//
// Compiles with the headers of CUDA 12, of CUDA 13 and of the embedded toolkit; does not depend on the lab.
#pragma once
#include <nvrtc.h>

#include "check.hpp"

namespace lesson {

inline void report(nvrtcResult error, const char* call, const char* file, int line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n  %s %d %s\n", file, line, call, in_language("returned", "返回"),
               static_cast<int>(error), nvrtcGetErrorString(error));
}

inline void must_succeed(nvrtcResult result, const char* call, const char* file, int line) {
  if (result == NVRTC_SUCCESS) return;
  report(result, call, file, line);
  end_here();
}

inline void must_return(nvrtcResult expected, const char* name, nvrtcResult result, const char* call,
                        const char* file, int line) {
  if (result != expected) {
    report(result, call, file, line);
    end_unexpected(static_cast<int>(expected), name);
  }
  tell_expected(call, static_cast<int>(result), name);
}

}  // namespace lesson

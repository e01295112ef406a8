// check.hpp for calls of the CUDA runtime: the same check(…) and expect(ERROR, …), which report a cudaError_t
// with its number, name and text. It is not in check.hpp because most lessons call only the driver.
//
// Compiles with the headers of CUDA 12, of CUDA 13 and of the embedded toolkit; does not depend on the lab.
#pragma once
#include <cuda_runtime_api.h>

#include "check.hpp"

namespace lesson {

inline void report(cudaError_t error, const char* call, const char* file, int line) {
  std::fflush(stdout);
  std::fprintf(stderr, "%s:%d: %s\n  %s %d %s: %s\n", file, line, call, in_language("returned", "返回"),
               static_cast<int>(error), cudaGetErrorName(error), cudaGetErrorString(error));
}

inline void must_succeed(cudaError_t result, const char* call, const char* file, int line) {
  if (result == cudaSuccess) return;
  report(result, call, file, line);
  end_here();
}

inline void must_return(cudaError_t expected, const char* name, cudaError_t result, const char* call,
                        const char* file, int line) {
  if (result != expected) {
    report(result, call, file, line);
    end_unexpected(static_cast<int>(expected), name);
  }
  tell_expected(call, static_cast<int>(result), name);
}

}  // namespace lesson

// SPDX-License-Identifier: MIT
// Groups of functions that several rules ask for, and the set of functions that a rule writes down itself.
// Each member is named: a new function of the API belongs to a group only when somebody adds it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "trace/function.hpp"

namespace lab {

using trace::Function;

inline bool one_of(Function function, std::initializer_list<Function> set) {
  return std::find(set.begin(), set.end(), function) != set.end();
}

inline bool launches_kernel(Function function) {
  return one_of(function,
                {Function::cuLaunch, Function::cuLaunchGrid, Function::cuLaunchGridAsync,
                 Function::cuLaunchKernel, Function::cuLaunchKernelEx, Function::cuLaunchCooperativeKernel,
                 Function::cuLaunchCooperativeKernelMultiDevice});
}

// How many bytes one element of a fill has; 0: the call fills nothing.
inline std::uint64_t element_bytes(Function fill) {
  switch (fill) {
    case Function::cuMemsetD8:
    case Function::cuMemsetD8Async:
    case Function::cuMemsetD2D8:
    case Function::cuMemsetD2D8Async:
      return 1;
    case Function::cuMemsetD16:
    case Function::cuMemsetD16Async:
    case Function::cuMemsetD2D16:
    case Function::cuMemsetD2D16Async:
      return 2;
    case Function::cuMemsetD32:
    case Function::cuMemsetD32Async:
    case Function::cuMemsetD2D32:
    case Function::cuMemsetD2D32Async:
      return 4;
    default:
      return 0;
  }
}

}  // namespace lab

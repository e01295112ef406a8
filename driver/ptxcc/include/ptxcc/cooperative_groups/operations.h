// SPDX-License-Identifier: MIT
// What reductions and scans combine values with.
//
// A min or max of floating-point numbers compares; it is not fmin. Needs only the qualifiers.
#pragma once
#include "../prelude.h"

namespace cooperative_groups {

#define __PTXCC_OPERATION(name, value)        \
  template <class T>                          \
  struct name {                               \
    __device__ T operator()(T a, T b) const { \
      return value;                           \
    }                                         \
  };
__PTXCC_OPERATION(plus, a + b)
__PTXCC_OPERATION(less, b < a ? b : a)
__PTXCC_OPERATION(greater, a < b ? b : a)
__PTXCC_OPERATION(bit_and, a& b)
__PTXCC_OPERATION(bit_or, a | b)
__PTXCC_OPERATION(bit_xor, a ^ b)
#undef __PTXCC_OPERATION

}  // namespace cooperative_groups

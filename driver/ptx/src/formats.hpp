// SPDX-License-Identifier: MIT
// Half and bfloat16 as numbers, and rounding in the direction that an instruction names. Used by evaluate.cpp
// and compute.cpp; does not depend on instructions.
#pragma once
#include <cstdint>

#include "ptx/module.hpp"

namespace ptx {

// The value that `bits` have in a float type (F16, Bf16, F32, F64), exactly.
double decode(Type type, std::uint64_t bits);
// The nearest number of the type in the direction of `how`; overflow as IEEE 754 says.
std::uint64_t encode(Type type, double value, Rounding how);
// .ftz: zero of the same sign for a subnormal number. Pairs of halves are none.
std::uint64_t flush(Type type, std::uint64_t bits);
// a + b and a * b + c with the last bit set when something was lost, so that encode() rounds once.
double add_odd(double a, double b);
// The processor's rounding while it lives.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding how);
  ~RoundingScope();
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;

 private:
  int before_;
};

}  // namespace ptx

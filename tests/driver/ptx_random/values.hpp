// SPDX-License-Identifier: MIT
// Random operands: numbers at the edges of their type, close to each other, and of no kind at all.
//
// The same seed gives the same numbers with every standard library, which its distributions do not promise.
#pragma once

#include <random>

#include "operation.hpp"

namespace ptx_random {

class Dice {
 public:
  explicit Dice(u64 seed) : generator_(seed) {}
  u64 bits() { return generator_(); }
  u64 below(u64 count) { return generator_() % count; }
  bool one_in(u64 count) { return below(count) == 0; }

 private:
  std::mt19937_64 generator_;
};

// The bits of a value of this kind.
u64 draw(Kind kind, Dice& dice);
// As a number is written in PTX.
std::string literal(Kind kind, u64 bits);

}  // namespace ptx_random

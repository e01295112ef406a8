// SPDX-License-Identifier: MIT
// A random kernel: straight-line arithmetic over inputs and earlier results, every result of which is stored.
//
// Because results are stored, each is judged by the operands that it really had, wrong or not.
#pragma once

#include <string>
#include <vector>

#include "values.hpp"

namespace ptx_random {

// A value that every thread has one of: an input, or what a step gave.
struct Slot {
  Kind kind = Kind::U32;
};

struct Source {
  std::size_t slot = 0;
  bool immediate = false;
  u64 bits = 0;          // of an immediate
  u64 counts = ~u64{0};  // ... those that matter
};

struct Step {
  const Operation* operation = nullptr;
  std::vector<Source> sources;
  std::size_t result = 0;  // a slot
};

struct Kernel {
  std::vector<Slot> slots;
  std::size_t inputs = 0;  // the first slots
  std::vector<Step> steps;
  std::size_t statements = 0;  // that are tested, per thread
};

// With one step for each of the operations, in this order.
Kernel make_kernel(const std::vector<const Operation*>& operations, Dice& dice);

// The kernel `k(in, out)`: slot s of thread t is 8 bytes at in + 8 * (s * threads + t); results likewise at
// out, their slots counted from the first step on.
std::string text_of(const Kernel& kernel, std::size_t threads, int target);

}  // namespace ptx_random

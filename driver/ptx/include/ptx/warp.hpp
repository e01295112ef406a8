// SPDX-License-Identifier: MIT
// What the threads of a warp compute together, when all threads that take part have arrived.
//
// The caller decides which threads take part, and when all of them have arrived. Does not depend on memory.
// Safe to use from several threads at once.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace ptx {

struct Lane {
  unsigned number = 0;        // in the warp, 0 to 31
  std::uint64_t values[4]{};  // a, b, c of the instruction, without its mask
  std::uint64_t result = 0;
  bool predicate = false;  // the second result of shfl, match.all, elect
};

// Fills in the results. `lanes`: the lanes that take part, at least one, in order of their numbers. All
// execute the same instruction.
void compute_together(const Instruction& instruction, std::vector<Lane>& lanes);

}  // namespace ptx

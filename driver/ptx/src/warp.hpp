// What the threads of a warp compute together, once all that take part have arrived.
#pragma once
#include <cstdint>
#include <vector>

#include "ptx/module.hpp"

namespace ptx {

struct Lane {
  unsigned number = 0;        // in the warp
  std::uint64_t values[4]{};  // a, b, c of the instruction, without its mask
  std::uint64_t result = 0;
  bool predicate = false;  // the second result of shfl, match.all, elect
};

// `lanes`: those that take part, in order of their numbers; all execute the same instruction.
void compute_together(const Instruction& instruction, std::vector<Lane>& lanes);
bool is_warp_operation(Opcode opcode);

}  // namespace ptx

// SPDX-License-Identifier: MIT
// Finds out whether shared memory is reached by its own instructions only. Then LLVM may assume that no store
// to other memory changes it.

// An example:
//   before:
//     st.shared.u32 [%r1], %r2;
//   after:
//     define internal void @thread(ptr %block, ptr %null, ptr noalias %shared, …

#include <algorithm>

#include "program.hpp"
#include "ptx/layout.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

bool find_shared_apart(const Program& program) {
  const ptx::Layout shared = ptx::shared_layout(*program.module, program.kernel);
  const auto mixes = [&](const Instruction& in) {
    if (in.of_cluster || in.opcode == Opcode::Mapa) return true;
    if (in.opcode == Opcode::Cvta) return in.space == Space::Shared && !in.to_space;
    if (in.space != Space::Generic) return false;
    return std::any_of(in.operands.begin(), in.operands.end(), [&](const Operand& operand) {
      return operand.kind == Operand::Kind::Address && shared.offsets.count(operand.name) != 0;
    });
  };
  const auto has_none = [&](const ptx::Function& function) {
    return std::none_of(function.body.begin(), function.body.end(), mixes);
  };
  return has_none(program.kernel) &&
         std::all_of(program.module->functions.begin(), program.module->functions.end(), has_none);
}

}  // namespace compiler

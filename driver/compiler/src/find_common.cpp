// SPDX-License-Identifier: MIT
// Finds what all threads of a launch would load again and again: parameters of the kernel, and addresses of
// variables. Each function that the kernel becomes gets them as parameters.

// An example:
//   before:
//     ld.param.u32 %r1, [n];
//   after:
//     define internal void @thread(…, i32 %n) …
//     …
//     store i32 %n, ptr %r1, align 4

#include <algorithm>

#include "program.hpp"
#include "ptx/layout.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Space;

namespace {

template <class Use>
void for_each_operand(const Operand& operand, const Use& use) {
  use(operand);
  for (const Operand& part : operand.parts) for_each_operand(part, use);
}

}  // namespace

// Parameters that are read whole at a known place, and names of variables.
Common find_common(const Program& program) {
  const ptx::Function& kernel = program.kernel;
  const ptx::Layout shared = ptx::shared_layout(*program.module, kernel);
  Common common;
  std::set<std::string> own;
  for (const ptx::Variable& variable : kernel.locals) own.insert(variable.name);
  std::set<std::pair<std::uint64_t, unsigned>> parameters;
  std::set<std::string> symbols;
  for (const Instruction& in : kernel.body) {
    for (std::size_t i = 0; i < in.operands.size(); ++i) {
      const Operand& operand = in.operands[i];
      for_each_operand(operand, [&](const Operand& each) {
        const bool named =
            each.kind == Operand::Kind::Symbol || (each.kind == Operand::Kind::Address && !each.has_reg);
        if (named && own.count(each.name) == 0 && program.module->find_variable(each.name) != nullptr &&
            shared.offsets.count(each.name) == 0)
          symbols.insert(each.name);
      });
      if (in.opcode != Opcode::Ld || in.space != Space::Param || i != 1 || operand.has_reg) continue;
      for (const ptx::Parameter& parameter : kernel.parameters) {
        if (parameter.name != operand.name || own.count(operand.name) != 0) continue;
        const unsigned each = ptx::size_of(in.types[0]);
        for (unsigned lane = 0; lane < in.lanes; ++lane)
          parameters.insert(
              {parameter.offset + static_cast<std::uint64_t>(operand.offset) + std::uint64_t{lane} * each,
               each});
      }
    }
  }
  // Values that a thread is given in registers; more than these are loaded where they are used.
  constexpr std::size_t kMost = 24;
  for (const auto& parameter : parameters)
    if (common.parameters.size() < kMost) common.parameters.push_back(parameter);
  for (const std::string& symbol : symbols)
    if (common.symbols.size() < kMost) common.symbols.push_back(symbol);
  return common;
}

}  // namespace compiler

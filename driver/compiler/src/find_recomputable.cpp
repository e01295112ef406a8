// SPDX-License-Identifier: MIT
// Finds registers that are cheaper to compute again after a stop than to keep in memory.

// An example:
//   before:
//     mov.u32 %r1, %tid.x;
//     shl.b32 %r2, %r1, 2;
//     bar.sync 0;
//     st.shared.u32 [%r2], %r1;
//   after:
//     define internal i16 @body1(…
//     …
//     store i32 %x, ptr %r1, align 4
//     %number = load i32, ptr %r1, align 4
//     %offset = shl i32 %number, 2
//     %result = select i1 false, i32 0, i32 %offset
//     store i32 %result, ptr %r2, align 4

#include <algorithm>

#include "program.hpp"

namespace compiler {

using ptx::Function;
using ptx::Instruction;
using ptx::Opcode;

namespace {

bool is_cheap(const Instruction& in) {
  if (in.carry_out || in.guarded || in.saturate || in.flush) return false;
  if (!in.types.empty() && ptx::is_float(in.types[0])) return in.opcode == Opcode::Mov;
  switch (in.opcode) {
    case Opcode::Mov:
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Mad:
    case Opcode::Shl:
    case Opcode::Shr:
    case Opcode::And:
    case Opcode::Or:
    case Opcode::Xor:
    case Opcode::Not:
    case Opcode::Neg:
    case Opcode::Cvta:
    case Opcode::Setp:
    case Opcode::Selp:
      return true;
    case Opcode::Cvt:
      return in.types.size() > 1 && !ptx::is_float(in.types[1]) && !ptx::is_float(in.types[0]);
    case Opcode::Ld:
      return in.space == ptx::Space::Param && in.lanes == 1;
    default:
      return false;
  }
}

bool is_steady(const ptx::Operand& operand) {
  if (operand.kind == ptx::Operand::Kind::Vector) return false;
  if (operand.kind != ptx::Operand::Kind::Special) return true;
  switch (operand.special) {
    case ptx::Special::Clock:
    case ptx::Special::Clock64:
    case ptx::Special::ClockHi:
    case ptx::Special::Globaltimer:
    case ptx::Special::GlobaltimerLo:
    case ptx::Special::GlobaltimerHi:
      return false;
    default:
      return true;
  }
}

}  // namespace

std::map<std::uint32_t, std::uint32_t> find_recomputable(const Program& program) {
  constexpr unsigned kMostSteps = 6;
  const Function& kernel = program.kernel;
  std::vector<unsigned> writes(kernel.registers.size());
  for (const Instruction& in : kernel.body)
    for (const std::uint32_t reg : effects_of(in).writes) ++writes[reg];
  std::set<std::string> parameters;
  for (const ptx::Parameter& parameter : kernel.parameters) parameters.insert(parameter.name);
  std::map<std::uint32_t, std::uint32_t> found;
  std::map<std::uint32_t, unsigned> steps;
  for (std::uint32_t i = 0; i < kernel.body.size(); ++i) {
    const Instruction& in = kernel.body[i];
    const Effects effects = effects_of(in);
    if (effects.writes.size() != 1 || writes[effects.writes[0]] != 1 || !is_cheap(in)) continue;
    if (!std::all_of(in.operands.begin(), in.operands.end(), is_steady)) continue;
    if (in.opcode == Opcode::Ld && (in.operands[1].has_reg || parameters.count(in.operands[1].name) == 0))
      continue;
    unsigned depth = 1;
    const bool known = std::all_of(effects.reads.begin(), effects.reads.end(), [&](std::uint32_t reg) {
      const auto step = steps.find(reg);
      if (step == steps.end()) return false;
      depth += step->second;
      return true;
    });
    if (!known || depth > kMostSteps) continue;
    found[effects.writes[0]] = i;
    steps[effects.writes[0]] = depth;
  }
  return found;
}

}  // namespace compiler

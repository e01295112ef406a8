// SPDX-License-Identifier: MIT
// Which registers and variables an instruction reads and writes, and which instructions may follow it.
//
// The analyses of whole functions (find_live.cpp, find_uniform.cpp) need nothing else about an instruction.
#include <algorithm>

#include "program.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;

void unsupported(const Instruction& in, const std::string& what) {
  throw Unsupported((what.empty() ? "'" + in.root + "'" : what) + " in line " + std::to_string(in.line) +
                    " is not supported by the embedded driver's compiler");
}

bool is_barrier(Opcode opcode) {
  return opcode == Opcode::Bar || opcode == Opcode::BarRed || opcode == Opcode::ClusterArrive ||
         opcode == Opcode::ClusterWait;
}

bool is_warp_stop(Opcode opcode) {
  switch (opcode) {
    case Opcode::Shfl:
    case Opcode::Vote:
    case Opcode::Match:
    case Opcode::Redux:
    case Opcode::Elect:
    case Opcode::Activemask:
    case Opcode::BarWarp:
      return true;
    default:
      return false;
  }
}

namespace {

bool first_is_result(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::St:
    case Opcode::Sust:
    case Opcode::Red:
    case Opcode::Bra:
    case Opcode::Brx:
    case Opcode::Bar:
    case Opcode::BarArrive:
    case Opcode::ClusterArrive:
    case Opcode::ClusterWait:
    case Opcode::BarWarp:
    case Opcode::Nanosleep:
    case Opcode::Prefetch:
    case Opcode::Nothing:
    case Opcode::Call:
    case Opcode::Fence:
    case Opcode::Ret:
    case Opcode::Exit:
    case Opcode::Trap:
    case Opcode::Brkpt:
      return false;
    default:
      return true;
  }
}

void add_read(const Operand& operand, Effects& effects) {
  switch (operand.kind) {
    case Operand::Kind::Register:
      effects.reads.push_back(operand.reg);
      break;
    case Operand::Kind::Address:
      if (operand.has_reg) effects.reads.push_back(operand.reg);
      for (const Operand& part : operand.parts) add_read(part, effects);
      break;
    case Operand::Kind::Symbol:
      effects.addresses_taken.push_back(operand.name);
      effects.variables_read.push_back(operand.name);
      break;
    case Operand::Kind::Vector:
      for (const Operand& part : operand.parts) add_read(part, effects);
      break;
    default:
      break;
  }
}

void add_write(const Operand& operand, Effects& effects) {
  if (operand.kind == Operand::Kind::Register) effects.writes.push_back(operand.reg);
  for (const Operand& part : operand.parts) add_write(part, effects);
}

}  // namespace

Effects effects_of(const Instruction& in) {
  Effects effects;
  if (in.guarded) effects.reads.push_back(in.guard);
  const bool writes = first_is_result(in);
  for (std::size_t i = 0; i < in.operands.size(); ++i) {
    const Operand& operand = in.operands[i];
    if (i == 0 && writes) {
      add_write(operand, effects);
      continue;
    }
    add_read(operand, effects);
    if (operand.kind == Operand::Kind::Address && !operand.has_reg && !operand.name.empty()) {
      if (in.opcode == Opcode::St)
        effects.variables_written.push_back(operand.name);
      else
        effects.variables_read.push_back(operand.name);
    }
  }
  for (const std::string& name : in.call_arguments) effects.variables_read.push_back(name);
  for (const std::string& name : in.call_results) effects.variables_written.push_back(name);
  return effects;
}

bool takes_address_of(const ptx::Function& function, const std::string& variable) {
  for (const Instruction& in : function.body) {
    const std::vector<std::string> taken = effects_of(in).addresses_taken;
    if (std::find(taken.begin(), taken.end(), variable) != taken.end()) return true;
  }
  return false;
}

bool is_straight(const ptx::Function& function) {
  const std::vector<Instruction>& body = function.body;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const Instruction& in = body[i];
    if (in.opcode == Opcode::Call || in.opcode == Opcode::Brx) return false;
    if (in.opcode == Opcode::Bra && in.target <= i) return false;
  }
  return true;
}

std::vector<std::uint32_t> successors(const ptx::Function& function, std::uint32_t index) {
  if (index >= function.body.size()) return {};
  const Instruction& in = function.body[index];
  std::vector<std::uint32_t> next;
  switch (in.opcode) {
    case Opcode::Bra:
      next.push_back(in.target);
      break;
    case Opcode::Brx:
      next = in.targets;
      break;
    case Opcode::Ret:
    case Opcode::Exit:
    case Opcode::Trap:
    case Opcode::Brkpt:
      break;
    default:
      return {index + 1};
  }
  if (in.guarded) next.push_back(index + 1);
  return next;
}

}  // namespace compiler

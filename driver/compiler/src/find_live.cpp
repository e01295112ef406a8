// SPDX-License-Identifier: MIT
// Which registers are still read after an instruction: the usual backward analysis, over blocks of
// instructions. It decides what a thread has to keep at a stop.

// An example:
//   before:
//     ld.global.u32 %r1, [%rd1];
//     mov.u32 %r2, %clock;
//     bar.sync 0;
//     st.global.u32 [%rd1], %r2;
//   after:
//     @description = constant [24 x i64] [i64 23, i64 …, i64 0, i64 0, i64 320, …
//     …
//     define internal i16 @body1(…
//     …
//     %array = getelementptr i8, ptr %saved, i64 0
//     %element = getelementptr i8, ptr %array, i64 %number
//     %value = load i32, ptr %element, align 4
//     store i32 %value, ptr %r2, align 4
//
// 320 bytes are kept: 64 words for %r2, and one place for %rd1, which all threads have in common.

#include <algorithm>

#include "program.hpp"

namespace compiler {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Opcode;

bool uses_carry(const Instruction& in) {
  return in.opcode == Opcode::Addc || in.opcode == Opcode::Subc || in.opcode == Opcode::Madc;
}

// First instructions of blocks: targets, and what follows a branch or a stop.
std::set<std::uint32_t> leaders(const Program& program) {
  std::set<std::uint32_t> found{0};
  const Function& function = program.kernel;
  for (std::uint32_t i = 0; i < function.body.size(); ++i) {
    const std::vector<std::uint32_t> next = successors(function, i);
    if (next.size() == 1 && next[0] == i + 1 && !program.stops[i]) continue;
    found.insert(next.begin(), next.end());
    found.insert(i + 1);
  }
  return found;
}

}  // namespace

Liveness::Liveness(const Program& program)
    : registers_(static_cast<std::uint32_t>(program.kernel.registers.size())) {
  std::uint32_t number = registers_ + 1;
  for (const ptx::Variable& variable : program.kernel.locals) {
    if (variable.space == ptx::Space::Param) variables_[variable.name] = number++;
  }
  for (const std::uint32_t leader : leaders(program))
    at_[leader] = std::vector<bool>(registers_ + 1 + variables_.size());
  follow(program);
}

std::optional<std::uint32_t> Liveness::variable(const std::string& name) const {
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second);
}

const std::vector<bool>& Liveness::at(std::uint32_t index) const {
  return at_.at(index);
}

std::vector<bool> Liveness::before(const Program& program, std::uint32_t index,
                                   std::vector<bool> live) const {
  const Instruction& in = program.kernel.body[index];
  const Effects effects = effects_of(in);
  if (!in.guarded) {
    for (const std::uint32_t reg : effects.writes) live[reg] = false;
    for (const std::string& name : in.call_results)
      if (const auto number = variable(name)) live[*number] = false;
    if (in.carry_out) live[carry()] = false;
  }
  for (const std::uint32_t reg : effects.reads) live[reg] = true;
  for (const std::string& name : effects.variables_read)
    if (const auto number = variable(name)) live[*number] = true;
  if (uses_carry(in)) live[carry()] = true;
  return live;
}

void Liveness::follow(const Program& program) {
  const Function& function = program.kernel;
  const auto size = static_cast<std::uint32_t>(function.body.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (auto block = at_.rbegin(); block != at_.rend(); ++block) {
      if (block->first >= size) continue;
      const auto following = at_.upper_bound(block->first);
      const std::uint32_t end = following == at_.end() ? size : following->first;
      std::vector<bool> live(block->second.size());
      for (const std::uint32_t next : successors(function, end - 1)) {
        const auto found = at_.find(next);
        if (found == at_.end()) continue;
        for (std::size_t i = 0; i < live.size(); ++i) live[i] = live[i] || found->second[i];
      }
      for (std::uint32_t index = end; index-- > block->first;) live = before(program, index, std::move(live));
      if (live != block->second) {
        block->second = std::move(live);
        changed = true;
      }
    }
  }
}

Liveness find_live(const Program& program) {
  return Liveness(program);
}

}  // namespace compiler

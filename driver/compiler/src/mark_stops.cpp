// SPDX-License-Identifier: MIT
// Marks the instructions at which a thread waits for others. A loop that waits for memory stops where it goes
// back, so that the threads that write this memory get their turn.

// An example:
//   before:
//     again:
//     ld.volatile.global.u32 %r1, [%rd1];
//     setp.eq.u32 %p1, %r1, 0;
//     @%p1 bra again;
//   after:
//     define internal i16 @body0(…
//     …
//     br i1 %p1, label %stop, label %behind
//     …
//     ret i16 0
//     …
//     ret i16 -1

#include <algorithm>

#include "program.hpp"

namespace compiler {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Opcode;

bool observes_others(const Instruction& in) {
  return (in.opcode == Opcode::Ld && in.order != ptx::Order::Weak) || in.opcode == Opcode::Atom;
}

// Registers whose value depends on what other threads write.
std::vector<bool> observed(const Function& function, std::uint32_t first, std::uint32_t last) {
  std::vector<bool> seen(function.registers.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (std::uint32_t i = first; i <= last; ++i) {
      const Effects effects = effects_of(function.body[i]);
      const bool source =
          observes_others(function.body[i]) || std::any_of(effects.reads.begin(), effects.reads.end(),
                                                           [&](std::uint32_t reg) { return seen[reg]; });
      if (!source) continue;
      for (const std::uint32_t reg : effects.writes) {
        changed = changed || !seen[reg];
        seen[reg] = true;
      }
    }
  }
  return seen;
}

// Whether the loop that a branch back closes goes on until another thread writes something.
bool waits_for_memory(const Function& function, std::uint32_t branch) {
  const Instruction& back = function.body[branch];
  if (back.opcode != Opcode::Bra || back.target > branch) return false;
  const auto begin = function.body.begin();
  if (std::none_of(begin + back.target, begin + branch, observes_others)) return false;
  const std::vector<bool> seen = observed(function, back.target, branch);
  return std::any_of(begin + back.target, begin + branch + 1, [&](const Instruction& in) {
    return in.opcode == Opcode::Bra && in.guarded && seen[in.guard];
  });
}

}  // namespace

bool is_stop(const Function& function, std::uint32_t index) {
  const Opcode opcode = function.body[index].opcode;
  return is_barrier(opcode) || is_warp_stop(opcode) || waits_for_memory(function, index);
}

void mark_stops(Program& program) {
  program.stops.resize(program.kernel.body.size());
  for (std::uint32_t i = 0; i < program.stops.size(); ++i) {
    program.stops[i] = is_stop(program.kernel, i);
    program.has_stops = program.has_stops || program.stops[i];
    // Threads that wait for memory also go on one by one.
    program.by_warps = program.by_warps || (program.stops[i] && !is_barrier(program.kernel.body[i].opcode));
  }
}

}  // namespace compiler

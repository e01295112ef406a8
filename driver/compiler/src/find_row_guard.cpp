// SPDX-License-Identifier: MIT
// Finds `if (i >= n) return;` at the start of a kernel, by following how each register depends on the
// thread's x.
//
// lower_whole.cpp uses it to run rows in which all threads pass the test, without testing each of them.

// An example:
//   before:
//     ld.param.u32 %r1, [n];
//     mov.u32 %r2, %tid.x;
//     setp.ge.u32 %p1, %r2, %r1;
//     @%p1 ret;
//     add.s32 %r3, %r2, 1;
//   after:
//     define internal void @thread_inside(…
//     …
//     store i1 %p1, ptr %place_of_p1, align 1
//     br label %work

#include "program.hpp"

namespace compiler {
namespace {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Special;

// What a register is to the threads of a row: the same number plus `step` times the thread's x.
struct Form {
  std::int64_t step = 0;
};

constexpr std::int64_t kMostStep = 1 << 16;

class Forms {
 public:
  std::optional<Form> of(const Operand& operand) const {
    switch (operand.kind) {
      case Operand::Kind::Immediate:
      case Operand::Kind::Symbol:
        return Form{};
      case Operand::Kind::Register: {
        const auto found = known_.find(operand.reg);
        return found == known_.end() ? std::nullopt : std::optional(found->second);
      }
      case Operand::Kind::Special:
        if (operand.special == Special::TidX) return Form{1};
        if (operand.special <= Special::NctaidZ) return Form{};
        return std::nullopt;
      default:
        return std::nullopt;
    }
  }

  // False when the prefix ends here: the instruction does more than compute.
  bool follow(const Instruction& in) {
    if (in.guarded || in.operands.empty() || in.operands[0].kind != Operand::Kind::Register) return false;
    const std::optional<Form> form = result(in);
    if (!form && in.opcode != Opcode::Setp) return false;
    if (form) known_[in.operands[0].reg] = *form;
    return true;
  }

 private:
  std::optional<Form> result(const Instruction& in) const {
    const auto operand = [&](std::size_t i) { return of(in.operands[i]); };
    switch (in.opcode) {
      case Opcode::Mov:
      case Opcode::Cvta:
        return operand(1);
      case Opcode::Ld:
        if (in.space != ptx::Space::Param || in.operands[1].has_reg || in.lanes != 1) return std::nullopt;
        return Form{};
      case Opcode::Add:
        return sum(operand(1), operand(2));
      case Opcode::Mad:
        if (in.hi || in.wide) return std::nullopt;
        return sum(product(in.operands[1], in.operands[2]), operand(3));
      case Opcode::Mul:
        if (in.hi || in.wide) return std::nullopt;
        return product(in.operands[1], in.operands[2]);
      case Opcode::Shl:
        if (in.operands[2].kind != Operand::Kind::Immediate || in.operands[2].bits > 16) return std::nullopt;
        return scaled(operand(1), std::int64_t{1} << in.operands[2].bits);
      case Opcode::Or:
        return both_steady(operand(1), operand(2));
      default:
        return std::nullopt;
    }
  }
  static std::optional<Form> sum(std::optional<Form> a, std::optional<Form> b) {
    if (!a || !b || a->step + b->step > kMostStep) return std::nullopt;
    return Form{a->step + b->step};
  }
  static std::optional<Form> both_steady(std::optional<Form> a, std::optional<Form> b) {
    return a && b && a->step == 0 && b->step == 0 ? a : std::nullopt;
  }
  static std::optional<Form> scaled(std::optional<Form> a, std::int64_t by) {
    if (!a || by < 0 || a->step * by > kMostStep) return std::nullopt;
    return Form{a->step * by};
  }
  std::optional<Form> product(const Operand& x, const Operand& y) const {
    const std::optional<Form> a = of(x), b = of(y);
    if (a && b && a->step == 0 && b->step == 0) return Form{};
    if (y.kind == Operand::Kind::Immediate && y.bits <= kMostStep)
      return scaled(a, static_cast<std::int64_t>(y.bits));
    if (x.kind == Operand::Kind::Immediate && x.bits <= kMostStep)
      return scaled(b, static_cast<std::int64_t>(x.bits));
    return std::nullopt;
  }

  std::map<std::uint32_t, Form> known_;
};

bool leaves(const ptx::Function& kernel, std::uint32_t index) {
  for (unsigned steps = 0; steps < 4 && index < kernel.body.size(); ++steps) {
    const Instruction& in = kernel.body[index];
    if (in.guarded) return false;
    if (in.opcode == Opcode::Ret || in.opcode == Opcode::Exit) return true;
    if (in.opcode != Opcode::Bra) return false;
    index = in.target;
  }
  return index >= kernel.body.size();
}

bool is_order(const Instruction& in) {
  const bool whole = in.types[0] == ptx::Type::S32 || in.types[0] == ptx::Type::U32 ||
                     in.types[0] == ptx::Type::S64 || in.types[0] == ptx::Type::U64;
  return whole && in.combine == ptx::Combine::None && in.compare >= ptx::Compare::Lt &&
         in.compare <= ptx::Compare::Ge && in.operands[0].kind == Operand::Kind::Register;
}

}  // namespace

std::optional<RowGuard> find_row_guard(const ptx::Function& kernel) {
  Forms forms;
  const Instruction* compared = nullptr;
  for (std::uint32_t i = 0; i < kernel.body.size(); ++i) {
    const Instruction& in = kernel.body[i];
    const bool decides =
        in.guarded && (in.opcode == Opcode::Bra || in.opcode == Opcode::Ret || in.opcode == Opcode::Exit);
    if (!decides) {
      if (!forms.follow(in)) return std::nullopt;
      if (in.opcode == Opcode::Setp) compared = is_order(in) ? &in : nullptr;
      continue;
    }
    if (compared == nullptr || compared->operands[0].reg != in.guard) return std::nullopt;
    const bool taken_leaves = in.opcode != Opcode::Bra || leaves(kernel, in.target);
    if (!taken_leaves && !leaves(kernel, i + 1)) return std::nullopt;
    const auto a = forms.of(compared->operands[1]), b = forms.of(compared->operands[2]);
    if (!a || !b || (a->step != 0) == (b->step != 0)) return std::nullopt;
    RowGuard guard;
    guard.branch = i;
    // Taken when the predicate is true, unless it is negated.
    guard.stays = taken_leaves == in.guard_negated;
    guard.value = a->step != 0 ? compared->operands[1] : compared->operands[2];
    guard.type = compared->types[0];
    return guard;
  }
  return std::nullopt;
}

}  // namespace compiler

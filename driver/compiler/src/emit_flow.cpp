// SPDX-License-Identifier: MIT
// Code for the flow of a function: blocks, branches, guards, jump tables, the end of a thread.

// An example:
//   before:
//     @%p1 bra skip;
//     add.s32 %r1, %r1, 1;
//     skip:
//     ret;
//   after:
//     %guard = load i1, ptr %p1, align 1
//     br i1 %guard, label %skip, label %next
//     …
//     %sum = add i32 %word, 1
//     store i32 %sum, ptr %r1, align 4
//     br label %skip

#include <algorithm>
#include <map>
#include <set>

#include "flow.hpp"
#include "instructions.hpp"

namespace compiler {
namespace {

using ptx::Instruction;
using ptx::Opcode;

class Emitter {
 public:
  Emitter(Body& body, const Flow& flow);
  void emit(std::uint32_t from);

 private:
  IrBlock block_of(std::uint32_t index);
  void emit_block(std::uint32_t index);
  // True when the block has ended.
  bool emit_one(std::uint32_t index);
  std::optional<bool> emit_uniform(std::uint32_t index);
  Value guard_of(const Instruction& in);
  void jump_table(const Instruction& in);

  Body& body_;
  Ir& ir_;
  const ptx::Function& function_;
  const Flow& flow_;
  std::set<std::uint32_t> leaders_;
  std::map<std::uint32_t, IrBlock> blocks_;
  std::vector<std::uint32_t> open_blocks_;
};

Emitter::Emitter(Body& body, const Flow& flow)
    : body_(body), ir_(body.ir), function_(body.function), flow_(flow) {
  for (std::uint32_t index = 0; index < function_.body.size(); ++index) {
    const std::vector<std::uint32_t> next = successors(function_, index);
    if (next.size() != 1 || next[0] != index + 1) leaders_.insert(next.begin(), next.end());
    if (function_.body[index].guarded) leaders_.insert(index + 1);
  }
}

IrBlock Emitter::block_of(std::uint32_t index) {
  const auto found = blocks_.find(index);
  if (found != blocks_.end()) return found->second;
  open_blocks_.push_back(index);
  return blocks_[index] = ir_.block(body_.into);
}

void Emitter::emit(std::uint32_t from) {
  ir_.jump(block_of(from));
  while (!open_blocks_.empty()) {
    const std::uint32_t index = open_blocks_.back();
    open_blocks_.pop_back();
    ir_.continue_at(blocks_[index]);
    emit_block(index);
  }
}

void Emitter::emit_block(std::uint32_t index) {
  for (;;) {
    if (index >= function_.body.size()) return flow_.end();
    if (emit_one(index)) return;
    ++index;
    if (leaders_.count(index) != 0) return ir_.jump(block_of(index));
  }
}

Value Emitter::guard_of(const Instruction& in) {
  Value guard = body_.register_value(in.guard);
  return in.guard_negated ? ir_.no(guard) : guard;
}

// True or false as emit_one(); nothing when the instruction is emitted as ever.
std::optional<bool> Emitter::emit_uniform(std::uint32_t index) {
  const Instruction& in = function_.body[index];
  switch (in.opcode) {
    case Opcode::Bra:
    case Opcode::Brx:
    case Opcode::Ret:
    case Opcode::Exit:
      if (!flow_.only_uniform->parts(index)) return std::nullopt;
      ir_.jump(block_of(flow_.only_uniform->meeting_point(index)));
      return true;
    case Opcode::Trap:
    case Opcode::Brkpt:
      if (flow_.only_uniform->parts(index)) return false;
      flow_.end();
      return true;
    default:
      break;
  }
  if (in.callee == "__assertfail" && !in.guarded) {
    flow_.end();
    return true;
  }
  const std::vector<std::uint32_t> writes = effects_of(in).writes;
  const bool is_kept = !writes.empty() && std::all_of(writes.begin(), writes.end(), [&](std::uint32_t reg) {
    return flow_.only_uniform->is_part_of_it(reg);
  });
  return is_kept ? std::nullopt : std::optional(false);
}

bool Emitter::emit_one(std::uint32_t index) {
  const Instruction& in = function_.body[index];
  const bool stops_here = flow_.stops != nullptr && (*flow_.stops)[index];
  if (flow_.only_uniform != nullptr && !stops_here) {
    if (const std::optional<bool> done = emit_uniform(index)) return *done;
  }
  if (flow_.known && flow_.known->instruction == index) {
    const bool taken = flow_.known->value != in.guard_negated;
    if (!taken) return false;
    if (in.opcode == Opcode::Bra)
      ir_.jump(block_of(in.target));
    else
      flow_.end();
    return true;
  }
  if (in.opcode == Opcode::Bra && !stops_here) {
    if (in.guarded)
      ir_.branch(guard_of(in), block_of(in.target), block_of(index + 1));
    else
      ir_.jump(block_of(in.target));
    return true;
  }
  if (in.guarded) {
    IrBlock taken = ir_.block(body_.into);
    ir_.branch(guard_of(in), taken, block_of(index + 1));
    ir_.continue_at(taken);
  }
  if (stops_here) {
    flow_.stop(index);
    return true;
  }
  switch (in.opcode) {
    case Opcode::Ret:
    case Opcode::Exit:
      flow_.end();
      return true;
    case Opcode::Trap:
    case Opcode::Brkpt:
      body_.fault(runner::Outcome::LaunchFailed, in.line);
      return true;
    case Opcode::Brx:
      jump_table(in);
      return true;
    default:
      break;
  }
  emit_instruction(body_, in);
  if (in.callee == "__assertfail") {
    flow_.end();
    return true;
  }
  if (!in.guarded) return false;
  ir_.jump(block_of(index + 1));
  return true;
}

void Emitter::jump_table(const Instruction& in) {
  IrBlock outside = ir_.block(body_.into);
  Value table = LLVMBuildSwitch(ir_.at, body_.read(in.operands[0], ptx::Type::U32), outside,
                                static_cast<unsigned>(in.targets.size()));
  for (std::size_t i = 0; i < in.targets.size(); ++i)
    LLVMAddCase(table, ir_.word(i), block_of(in.targets[i]));
  ir_.continue_at(outside);
  body_.fault(runner::Outcome::IllegalInstruction, in.line);
}

}  // namespace

void emit_flow(Body& body, const Flow& flow, std::uint32_t from) {
  Emitter(body, flow).emit(from);
}

}  // namespace compiler

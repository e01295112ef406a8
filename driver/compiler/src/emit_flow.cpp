// SPDX-License-Identifier: MIT
// Code for the flow of a function: blocks, branches, guards, the end of a thread. Also the parameters that
// every translated function has (Given). Part of Body (body.hpp).
#include <algorithm>

#include "body.hpp"
#include "kernel_abi/kernel_abi.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;

std::vector<IrType> Given::types(const Ir& ir) {
  std::vector<IrType> list(pointers, ir.pointer);
  list.resize(count, ir.i32);
  return list;
}

std::array<Value*, Given::count> Given::in_order() {
  return {&block,  &null,     &shared,   &saved,    &local,   &thread[0], &thread[1], &thread[2],
          &linear, &index[0], &index[1], &index[2], &grid[0], &grid[1],   &grid[2]};
}

Given Given::of(Value function) {
  Given given;
  unsigned number = 0;
  for (Value* const place : given.in_order()) *place = LLVMGetParam(function, number++);
  return given;
}

std::vector<Value> Arguments::values() const {
  std::vector<Value> list;
  list.reserve(Given::count + more.size());
  Given copy = given;
  for (const Value* const place : copy.in_order()) list.push_back(*place);
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

std::uint32_t Kernel::symbol_index(const std::string& name) {
  for (std::uint32_t i = 0; i < symbols.size(); ++i)
    if (symbols[i] == name) return i;
  symbols.push_back(name);
  return static_cast<std::uint32_t>(symbols.size() - 1);
}

Body::Body(Ir& i, Kernel& k, const ptx::Function& f, Value llvm_function, const Given& g)
    : ir(i), kernel(k), function(f), into(llvm_function), given(g) {
  for (std::uint32_t index = 0; index < function.body.size(); ++index) {
    const std::vector<std::uint32_t> next = successors(function, index);
    if (next.size() != 1 || next[0] != index + 1) leaders_.insert(next.begin(), next.end());
    if (function.body[index].guarded) leaders_.insert(index + 1);
  }
}

void Body::open() {
  for (const ptx::Type type : function.register_types) {
    Value room = LLVMBuildAlloca(ir.at, ir.bits_of(type), "");
    ir.store(LLVMConstNull(ir.bits_of(type)), room);
    registers_.push_back(room);
  }
  carry_ = LLVMBuildAlloca(ir.at, ir.i1, "");
  ir.store(LLVMConstNull(ir.i1), carry_);
  for (const ptx::Variable& variable : function.locals) {
    if (variable.space == ptx::Space::Shared || variables.count(variable.name) != 0) continue;
    Value room = LLVMBuildAlloca(ir.at, LLVMArrayType2(ir.i8, std::max<std::uint64_t>(variable.size, 1)), "");
    LLVMSetAlignment(room, std::max<std::uint32_t>(variable.align, 8));
    variables[variable.name] = room;
  }
}

IrBlock Body::block_of(std::uint32_t index) {
  const auto found = blocks_.find(index);
  if (found != blocks_.end()) return found->second;
  open_blocks_.push_back(index);
  return blocks_[index] = ir.block(into);
}

void Body::emit(std::uint32_t from) {
  ir.jump(block_of(from));
  while (!open_blocks_.empty()) {
    const std::uint32_t index = open_blocks_.back();
    open_blocks_.pop_back();
    ir.continue_at(blocks_[index]);
    emit_block(index);
  }
}

void Body::emit_block(std::uint32_t index) {
  for (;;) {
    if (index >= function.body.size()) return end();
    if (emit_one(index)) return;
    ++index;
    if (leaders_.count(index) != 0) return ir.jump(block_of(index));
  }
}

Value Body::guard_of(const Instruction& in) {
  Value guard = register_value(in.guard);
  return in.guard_negated ? ir.no(guard) : guard;
}

// True or false as emit_one(); nothing when the instruction is translated as ever.
std::optional<bool> Body::emit_uniform(std::uint32_t index) {
  const Instruction& in = function.body[index];
  switch (in.opcode) {
    case Opcode::Bra:
    case Opcode::Brx:
    case Opcode::Ret:
    case Opcode::Exit:
      if (!only_uniform->parts(index)) return std::nullopt;
      ir.jump(block_of(only_uniform->meeting_point(index)));
      return true;
    case Opcode::Trap:
    case Opcode::Brkpt:
      if (only_uniform->parts(index)) return false;
      end();
      return true;
    default:
      break;
  }
  if (in.callee == "__assertfail" && !in.guarded) {
    end();
    return true;
  }
  const std::vector<std::uint32_t> writes = effects_of(in).writes;
  const bool is_kept = !writes.empty() && std::all_of(writes.begin(), writes.end(), [&](std::uint32_t reg) {
    return only_uniform->is_part_of_it(reg);
  });
  return is_kept ? std::nullopt : std::optional(false);
}

bool Body::emit_one(std::uint32_t index) {
  const Instruction& in = function.body[index];
  const bool stops_here = index < stops.size() && stops[index];
  if (only_uniform != nullptr && !stops_here) {
    if (const std::optional<bool> done = emit_uniform(index)) return *done;
  }
  if (known && known->first == index) {
    const bool taken = known->second != in.guard_negated;
    if (!taken) return false;
    if (in.opcode == Opcode::Bra)
      ir.jump(block_of(in.target));
    else
      end();
    return true;
  }
  if (in.opcode == Opcode::Bra && !stops_here) {
    if (in.guarded)
      ir.branch(guard_of(in), block_of(in.target), block_of(index + 1));
    else
      ir.jump(block_of(in.target));
    return true;
  }
  if (in.guarded) {
    IrBlock taken = ir.block(into);
    ir.branch(guard_of(in), taken, block_of(index + 1));
    ir.continue_at(taken);
  }
  if (stops_here) {
    stop(index);
    return true;
  }
  switch (in.opcode) {
    case Opcode::Ret:
    case Opcode::Exit:
      end();
      return true;
    case Opcode::Trap:
    case Opcode::Brkpt:
      fault(runner::Outcome::LaunchFailed, in.line);
      return true;
    case Opcode::Brx:
      jump_table(in);
      return true;
    default:
      break;
  }
  compute(in);
  if (in.callee == "__assertfail") {
    end();
    return true;
  }
  if (!in.guarded) return false;
  ir.jump(block_of(index + 1));
  return true;
}

void Body::jump_table(const Instruction& in) {
  IrBlock outside = ir.block(into);
  Value table = LLVMBuildSwitch(ir.at, read(in.operands[0], ptx::Type::U32), outside,
                                static_cast<unsigned>(in.targets.size()));
  for (std::size_t i = 0; i < in.targets.size(); ++i) LLVMAddCase(table, ir.word(i), block_of(in.targets[i]));
  ir.continue_at(outside);
  fault(runner::Outcome::IllegalInstruction, in.line);
}

void Body::fault(runner::Outcome outcome, int line) {
  IrType types[] = {ir.pointer, ir.i32, ir.i32};
  Value call_of = ir.call(
      LLVMFunctionType(ir.nothing, types, 3, 0), runtime(offsetof(runner::Runtime, fault)),
      {given.block, ir.word(static_cast<std::uint32_t>(outcome)), ir.word(static_cast<unsigned>(line))});
  for (const char* word : {"noreturn", "cold", "nounwind"}) ir.mark_call(call_of, word);
  LLVMBuildUnreachable(ir.at);
}

void Body::fault_unless(Value good, runner::Outcome outcome, int line) {
  IrBlock bad = ir.block(into, "fault"), behind = ir.block(into);
  ir.branch(good, behind, bad);
  ir.continue_at(bad);
  fault(outcome, line);
  ir.continue_at(behind);
}

void Body::compute(const Instruction& in) {
  switch (in.opcode) {
    case Opcode::Nothing:
    case Opcode::Prefetch:
      return;
    case Opcode::Fence:
      LLVMBuildFence(ir.at, LLVMAtomicOrderingSequentiallyConsistent, 0, "");
      return;
    case Opcode::Nanosleep: {
      IrType types[] = {ir.i32};
      ir.call(LLVMFunctionType(ir.nothing, types, 1, 0), runtime(offsetof(runner::Runtime, rest)),
              {read(in.operands[0], ptx::Type::U32)});
      return;
    }
    case Opcode::BarArrive: {
      IrType types[] = {ir.pointer, ir.i32};
      ir.call(LLVMFunctionType(ir.nothing, types, 2, 0), runtime(offsetof(runner::Runtime, arrive)),
              {given.block, read(in.operands[0], ptx::Type::U32)});
      return;
    }
    case Opcode::Call:
      return call(in);
    case Opcode::Ld:
      return load(in);
    case Opcode::St:
      return store(in);
    case Opcode::Atom:
    case Opcode::Red:
      return atomic(in);
    case Opcode::Mov:
      return move(in);
    case Opcode::Setp:
      return set_predicate(in);
    case Opcode::Set:
      return set_value(in);
    case Opcode::Selp:
      return select(in);
    case Opcode::Slct:
      return select_by_sign(in);
    case Opcode::Cvt:
      return convert(in);
    case Opcode::Cvta:
      return convert_address(in);
    case Opcode::Isspacep:
      return test_space(in);
    default:
      return arithmetic(in);
  }
}

}  // namespace compiler

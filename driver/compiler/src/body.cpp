// SPDX-License-Identifier: MIT
// See body.hpp: the parameters that every function has, room for registers, and which of the files emit_*.cpp
// has the code of an instruction.
#include "body.hpp"

#include <algorithm>

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
    : ir(i), kernel(k), function(f), into(llvm_function), given(g) {}

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

// SPDX-License-Identifier: MIT
// See body.hpp: the parameters that every function has, room for registers, and faults.
#include "body.hpp"

#include <algorithm>

namespace compiler {

std::vector<IrType> Given::types(const Ir& ir) {
  std::vector<IrType> list(kPointers, ir.pointer);
  list.resize(kCount, ir.i32);
  return list;
}

std::array<Value*, Given::kCount> Given::in_order() {
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
  list.reserve(Given::kCount + more.size());
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

}  // namespace compiler

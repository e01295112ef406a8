// SPDX-License-Identifier: MIT
// Code for calls: of the module's own functions, of functions by their address, and of those that the driver
// supplies (vprintf, malloc, assertions).

// An example:
//   before:
//     .func add_one(.param .b32 word) {
//       ret;
//     }
//     .visible .entry k() {
//       .param .b32 word;
//       call add_one, (word);
//     }
//   after:
//     %word = alloca [4 x i8], align 8
//     …
//     call void @f.add_one(…, ptr %word)

#include "instructions.hpp"
#include "kernel_abi/kernel_abi.hpp"

namespace compiler {

using ptx::Function;
using ptx::Instruction;

Value Calls::variable(const Instruction& in, const std::string& name) {
  const auto found = variables.find(name);
  if (found == variables.end()) unsupported(in, "a call with '" + name + "'");
  return found->second;
}

Value Calls::argument(const Instruction& in, std::size_t index, IrType type) {
  if (index >= in.call_arguments.size()) return LLVMConstNull(type);
  const std::string& name = in.call_arguments[index];
  std::uint64_t bytes = LLVMGetIntTypeWidth(type) / 8;
  for (const ptx::Variable& each : function.locals)
    if (each.name == name) bytes = std::min(bytes, each.size);
  Value value = ir.load(ir.integer(static_cast<unsigned>(bytes * 8)), variable(in, name));
  LLVMSetAlignment(value, 1);
  return ir.fit(value, type, false);
}

void Calls::set_result(const Instruction& in, std::size_t index, Value value) {
  if (index < in.call_results.size()) ir.store(value, variable(in, in.call_results[index]));
}

std::vector<Value> Calls::call_arguments(const Instruction& in) {
  Arguments arguments{given, {}};
  for (const std::string& name : in.call_results) arguments.more.push_back(variable(in, name));
  for (const std::string& name : in.call_arguments) arguments.more.push_back(variable(in, name));
  return arguments.values();
}

namespace {

IrType function_type(const Ir& ir, std::size_t pointers) {
  std::vector<IrType> types = Given::types(ir);
  types.resize(types.size() + pointers, ir.pointer);
  return LLVMFunctionType(ir.nothing, types.data(), static_cast<unsigned>(types.size()), 0);
}

Value declare(Ir& ir, Kernel& kernel, const Function& callee) {
  const auto found = kernel.functions.find(callee.name);
  if (found != kernel.functions.end()) return found->second;
  Value made = LLVMAddFunction(ir.module, ("f." + callee.name).c_str(),
                               function_type(ir, callee.results.size() + callee.parameters.size()));
  LLVMSetLinkage(made, LLVMInternalLinkage);
  ir.mark(made, "nounwind");
  kernel.to_lower.push_back(&callee);
  return kernel.functions[callee.name] = made;
}

}  // namespace

void Calls::call(const Instruction& in) {
  if (in.callee.empty()) return call_indirect(in);
  const Function* const callee = kernel.module->find(in.callee);
  if (callee == nullptr || callee->external) {
    if (!call_builtin(in)) unsupported(in, "a call of '" + in.callee + "'");
    return;
  }
  if (callee->results.size() != in.call_results.size() ||
      callee->parameters.size() != in.call_arguments.size())
    unsupported(in, "a call of '" + in.callee + "' with other parameters than it has");
  Value target = declare(ir, kernel, *callee);
  ir.call(LLVMGlobalGetValueType(target), target, call_arguments(in));
}

// A function's address is its number in the module, so that it can be in the initial value of a variable.
void Calls::call_indirect(const Instruction& in) {
  Value number = ir.sub(read(in.operands[0], ptx::Type::U64), ir.wide(ptx::kFunctionWindow));
  IrBlock outside = ir.block(body.into), behind = ir.block(body.into);
  Value table = LLVMBuildSwitch(ir.at, number, outside, 4);
  const auto& functions = kernel.module->functions;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    const Function& callee = functions[i];
    if (callee.external || callee.kernel || kernel.address_taken.count(callee.name) == 0 ||
        callee.results.size() != in.call_results.size() ||
        callee.parameters.size() != in.call_arguments.size())
      continue;
    IrBlock one = ir.block(body.into);
    LLVMAddCase(table, ir.wide(i), one);
    ir.continue_at(one);
    Value target = declare(ir, kernel, callee);
    ir.call(LLVMGlobalGetValueType(target), target, call_arguments(in));
    ir.jump(behind);
  }
  ir.continue_at(outside);
  body.fault(runner::Outcome::InvalidProgramCounter, in.line);
  ir.continue_at(behind);
}

bool Calls::call_builtin(const Instruction& in) {
  const auto call_runtime = [&](std::size_t offset, IrType result, std::vector<Value> arguments) {
    std::vector<IrType> types;
    types.reserve(arguments.size());
    for (Value each : arguments) types.push_back(LLVMTypeOf(each));
    return ir.call(LLVMFunctionType(result, types.data(), static_cast<unsigned>(types.size()), 0),
                   body.runtime(offset), std::move(arguments));
  };
  if (in.callee == "vprintf") {
    Value format = argument(in, 0, ir.i64), values = argument(in, 1, ir.i64);
    set_result(in, 0, call_runtime(offsetof(runner::Runtime, print), ir.i32, {given.block, format, values}));
    return true;
  }
  if (in.callee == "malloc") {
    set_result(in, 0, call_runtime(offsetof(runner::Runtime, allocate), ir.i64, {argument(in, 0, ir.i64)}));
    return true;
  }
  if (in.callee == "free") {
    call_runtime(offsetof(runner::Runtime, release), ir.nothing, {argument(in, 0, ir.i64)});
    return true;
  }
  if (in.callee != "__assertfail") return false;
  Value list = LLVMBuildArrayAlloca(ir.at, ir.i64, ir.word(4), "");
  for (unsigned i = 0; i < 4; ++i) ir.store(argument(in, i, ir.i64), ir.offset(list, std::uint64_t{8} * i));
  Value place = LLVMBuildArrayAlloca(ir.at, ir.i32, ir.word(6), "");
  for (unsigned i = 0; i < 3; ++i) {
    ir.store(given.index[i], ir.offset(place, std::uint64_t{4} * i));
    ir.store(given.thread[i], ir.offset(place, std::uint64_t{4} * (3 + i)));
  }
  call_runtime(offsetof(runner::Runtime, fail_assertion), ir.nothing, {place, list});
  return true;
}

}  // namespace compiler

// SPDX-License-Identifier: MIT
// See ir.hpp: LLVM's types made once, its builder in short words, and Loop, a counting loop.
#include "ir.hpp"

#include <cstring>

namespace compiler {

Ir::Ir() : context(LLVMContextCreate()) {
  module = LLVMModuleCreateWithNameInContext("kernel", context);
  at = LLVMCreateBuilderInContext(context);
  i1 = integer(1);
  i8 = integer(8);
  i16 = integer(16);
  i32 = integer(32);
  i64 = integer(64);
  i128 = integer(128);
  pointer = LLVMPointerTypeInContext(context, 0);
  nothing = LLVMVoidTypeInContext(context);
  half = LLVMHalfTypeInContext(context);
  single = LLVMFloatTypeInContext(context);
  twice = LLVMDoubleTypeInContext(context);
  steady_kind_ = LLVMGetMDKindIDInContext(context, "invariant.load", 14);
}

Ir::~Ir() {
  LLVMDisposeBuilder(at);
  LLVMDisposeModule(module);
  LLVMContextDispose(context);
}

IrType Ir::bits_of(ptx::Type type) const {
  return type == ptx::Type::Pred ? i1 : integer(ptx::size_of(type) * 8);
}

IrType Ir::value_of(ptx::Type type) const {
  return type == ptx::Type::F32 ? single : type == ptx::Type::F64 ? twice : bits_of(type);
}

Value Ir::fit(Value a, IrType to, bool is_signed) {
  const unsigned from = LLVMGetIntTypeWidth(LLVMTypeOf(a)), bits = LLVMGetIntTypeWidth(to);
  if (from == bits) return a;
  if (from > bits) return LLVMBuildTrunc(at, a, to, "");
  return is_signed ? LLVMBuildSExt(at, a, to, "") : LLVMBuildZExt(at, a, to, "");
}

Value Ir::load_steady(IrType type, Value from) {
  Value value = load(type, from);
  LLVMSetMetadata(value, steady_kind_,
                  LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, nullptr, 0)));
  return value;
}

Value Ir::intrinsic(const char* name, std::initializer_list<IrType> overloads, std::vector<Value> arguments) {
  std::vector<IrType> types(overloads);
  const unsigned id = LLVMLookupIntrinsicID(name, std::strlen(name));
  Value function = LLVMGetIntrinsicDeclaration(module, id, types.data(), types.size());
  return call(LLVMGlobalGetValueType(function), function, std::move(arguments));
}

Value Ir::library(const char* name, IrType result, std::vector<Value> arguments) {
  std::vector<IrType> types;
  types.reserve(arguments.size());
  for (Value argument : arguments) types.push_back(LLVMTypeOf(argument));
  IrType type = LLVMFunctionType(result, types.data(), static_cast<unsigned>(types.size()), 0);
  Value function = LLVMGetNamedFunction(module, name);
  if (function == nullptr) {
    function = LLVMAddFunction(module, name, type);
    for (const char* word : {"nounwind", "willreturn"}) mark(function, word);
    // Computes, and touches no memory.
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeIndex(LLVMAttributeFunctionIndex),
        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName("memory", 6), 0));
  }
  return call(type, function, std::move(arguments));
}

Value Ir::call(IrType type, Value function, std::vector<Value> arguments) {
  return LLVMBuildCall2(at, type, function, arguments.data(), static_cast<unsigned>(arguments.size()), "");
}

LLVMAttributeRef Ir::attribute(const char* name) const {
  return LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, std::strlen(name)), 0);
}

void Ir::mark(Value function, const char* name) const {
  LLVMAddAttributeAtIndex(function, LLVMAttributeIndex(LLVMAttributeFunctionIndex), attribute(name));
}

void Ir::mark_parameter(Value function, unsigned index, const char* name) const {
  LLVMAddAttributeAtIndex(function, index + 1, attribute(name));
}

void Ir::mark_call(Value call, const char* name) const {
  LLVMAddCallSiteAttribute(call, LLVMAttributeIndex(LLVMAttributeFunctionIndex), attribute(name));
}

Loop::Loop(Ir& ir, Value function, Value from, Value end) : ir_(ir), function_(function), end_(end) {
  IrBlock before = ir.here();
  head_ = ir.block(function, "loop");
  ir.jump(head_);
  ir.continue_at(head_);
  number_ = LLVMBuildPhi(ir.at, LLVMTypeOf(from), "");
  LLVMAddIncoming(number_, &from, &before, 1);
}

void Loop::close() {
  Value next = LLVMBuildNUWAdd(ir_.at, number_, LLVMConstInt(LLVMTypeOf(number_), 1, 0), "");
  IrBlock last = ir_.here();
  LLVMAddIncoming(number_, &next, &last, 1);
  IrBlock out = ir_.block(function_, "done");
  ir_.branch(ir_.compare(LLVMIntULT, next, end_), head_, out);
  ir_.continue_at(out);
}

}  // namespace compiler

// SPDX-License-Identifier: MIT
// LLVM's C API in the short form that the back end uses: types, constants, instructions, intrinsics.
//
// One Ir is one LLVM context with one module, used by one thread. Of PTX, it uses only the types.
#pragma once

#include <llvm-c/Core.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "ptx/module.hpp"

namespace compiler {

using Value = LLVMValueRef;
using IrType = LLVMTypeRef;
using IrBlock = LLVMBasicBlockRef;

class Ir {
 public:
  Ir();
  ~Ir();
  Ir(const Ir&) = delete;
  Ir& operator=(const Ir&) = delete;

  LLVMContextRef context;
  LLVMModuleRef module;
  LLVMBuilderRef at;
  IrType i1, i8, i16, i32, i64, i128, pointer, nothing, half, single, twice;

  IrType integer(unsigned bits) const { return LLVMIntTypeInContext(context, bits); }
  // Integers for everything, i1 for predicates.
  IrType bits_of(ptx::Type type) const;
  // F32 and F64 as floats, everything else as bits_of.
  IrType value_of(ptx::Type type) const;

  Value number(IrType type, std::uint64_t value) const { return LLVMConstInt(type, value, 0); }
  Value word(std::uint64_t value) const { return number(i32, value); }
  Value wide(std::uint64_t value) const { return number(i64, value); }
  Value real(IrType type, double value) const { return LLVMConstReal(type, value); }

  Value add(Value a, Value b) { return LLVMBuildAdd(at, a, b, ""); }
  Value sub(Value a, Value b) { return LLVMBuildSub(at, a, b, ""); }
  Value mul(Value a, Value b) { return LLVMBuildMul(at, a, b, ""); }
  Value both(Value a, Value b) { return LLVMBuildAnd(at, a, b, ""); }
  Value either(Value a, Value b) { return LLVMBuildOr(at, a, b, ""); }
  Value differs(Value a, Value b) { return LLVMBuildXor(at, a, b, ""); }
  Value no(Value a) { return LLVMBuildNot(at, a, ""); }
  Value left(Value a, Value b) { return LLVMBuildShl(at, a, b, ""); }
  Value right(Value a, Value b) { return LLVMBuildLShr(at, a, b, ""); }
  Value compare(LLVMIntPredicate how, Value a, Value b) { return LLVMBuildICmp(at, how, a, b, ""); }
  Value compare(LLVMRealPredicate how, Value a, Value b) { return LLVMBuildFCmp(at, how, a, b, ""); }
  Value select(Value condition, Value yes, Value other) {
    return LLVMBuildSelect(at, condition, yes, other, "");
  }
  Value cast(Value a, IrType to) { return LLVMBuildBitCast(at, a, to, ""); }
  Value address(Value pointer_value) { return LLVMBuildPtrToInt(at, pointer_value, i64, ""); }
  // Wider or narrower, as an integer.
  Value fit(Value a, IrType to, bool is_signed);
  Value load(IrType type, Value from) { return LLVMBuildLoad2(at, type, from, ""); }
  // Of memory that no kernel writes: may be read once and kept.
  Value load_steady(IrType type, Value from);
  void store(Value value, Value to) { LLVMBuildStore(at, value, to); }
  Value offset(Value base, Value bytes) { return LLVMBuildGEP2(at, i8, base, &bytes, 1, ""); }
  Value offset(Value base, std::uint64_t bytes) { return offset(base, wide(bytes)); }
  Value field(Value base, std::uint64_t bytes, IrType type) { return load_steady(type, offset(base, bytes)); }

  Value intrinsic(const char* name, std::initializer_list<IrType> overloads, std::vector<Value> arguments);
  // A function of the C library.
  Value library(const char* name, IrType result, std::vector<Value> arguments);
  Value call(IrType type, Value function, std::vector<Value> arguments);

  IrBlock block(Value function, const char* name = "") {
    return LLVMAppendBasicBlockInContext(context, function, name);
  }
  void continue_at(IrBlock place) { LLVMPositionBuilderAtEnd(at, place); }
  IrBlock here() { return LLVMGetInsertBlock(at); }
  void jump(IrBlock to) { LLVMBuildBr(at, to); }
  void branch(Value condition, IrBlock yes, IrBlock other) { LLVMBuildCondBr(at, condition, yes, other); }

  LLVMAttributeRef attribute(const char* name) const;
  void mark(Value function, const char* name) const;
  void mark_parameter(Value function, unsigned index, const char* name) const;
  void mark_call(Value call, const char* name) const;

 private:
  unsigned steady_kind_ = 0;
};

// for (number = 0; number < count; ++number), opened and closed in that order.
class Loop {
 public:
  Loop(Ir& ir, Value function, Value from, Value end);
  Value number() const { return number_; }
  void close();

 private:
  Ir& ir_;
  Value function_, end_, number_;
  IrBlock head_;
};

}  // namespace compiler

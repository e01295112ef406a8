// SPDX-License-Identifier: MIT
// Code that calls the reference semantics: for what has no short form, and what compilers do not make.

// An example:
//   before:
//     bfe.s32 %r1, %r2, %r3, %r4;
//   after:
//     %value = load i32, ptr %r2, align 4
//     %operand = zext i32 %value to i64
//     …
//     %result = call i64 %compute(ptr @0, i64 %operand, i64 …, i64 …, i64 0)
//     %word = trunc i64 %result to i32
//     store i32 %word, ptr %r1, align 4

#include "instructions.hpp"
#include "kernel_abi/kernel_abi.hpp"
#include "kernel_abi/packed_instruction.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Type;

Value packed(Ir& ir, const Instruction& in) {
  const runner::PackedInstruction words = runner::pack(in);
  Value list[] = {ir.wide(words[0]), ir.wide(words[1])};
  Value constant = LLVMConstArray2(ir.i64, list, 2);
  Value global = LLVMAddGlobal(ir.module, LLVMTypeOf(constant), "");
  LLVMSetInitializer(global, constant);
  LLVMSetGlobalConstant(global, 1);
  LLVMSetLinkage(global, LLVMPrivateLinkage);
  LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
  return global;
}

void emit_reference(Body& body, const Instruction& in) {
  Ir& ir = body.ir;
  if (in.operands.size() > 5 || in.types.size() > 4) unsupported(in);
  const bool converts = in.opcode == Opcode::Cvt && in.types.size() > 1;
  std::vector<Value> values{packed(ir, in)};
  for (std::size_t i = 1; i <= 4; ++i) {
    if (i >= in.operands.size()) {
      values.push_back(ir.wide(0));
      continue;
    }
    Value value = body.read(in.operands[i], converts ? in.types[1] : in.types[0]);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind)
      value = ir.cast(value, ir.integer(8 * ptx::size_of(converts ? in.types[1] : in.types[0])));
    values.push_back(ir.fit(value, ir.i64, false));
  }
  IrType types[] = {ir.pointer, ir.i64, ir.i64, ir.i64, ir.i64};
  Value result = ir.call(LLVMFunctionType(ir.i64, types, 5, 0),
                         body.runtime(offsetof(runner::Runtime, compute)), std::move(values));
  const bool counts = in.opcode == Opcode::Popc || in.opcode == Opcode::Clz || in.opcode == Opcode::Bfind;
  const Type type = counts ? Type::U32 : in.wide ? Type::B64 : in.types[0];
  body.write(in.operands[0], ir.fit(result, ir.bits_of(type), false), type);
}

}  // namespace compiler

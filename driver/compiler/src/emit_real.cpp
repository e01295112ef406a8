// SPDX-License-Identifier: MIT
// Floating-point arithmetic. For rounding other than to nearest, and for combinations that compilers do not
// make, the code calls the reference semantics.

// An example:
//   before:
//     add.sat.f32 %f1, %f2, %f3;
//   after:
//     %sum = fadd float %a, %b
//     %above = fcmp ogt float %sum, 0.000000e+00
//     %least = select i1 %above, float %sum, float 0.000000e+00
//     %below = fcmp olt float %least, 1.000000e+00
//     %most = select i1 %below, float %least, float 1.000000e+00

#include "instructions.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Rounding;
using ptx::Type;

// The number where one is NaN; -0 below +0.
Value Reals::extreme(bool least, Value a, Value b) {
  IrType type = LLVMTypeOf(a), bits = type == ir.single ? ir.i32 : ir.i64;
  Value chosen = ir.select(ir.compare(least ? LLVMRealOLT : LLVMRealOGT, a, b), a, b);
  Value x = ir.cast(a, bits), y = ir.cast(b, bits);
  Value same = ir.cast(least ? ir.either(x, y) : ir.both(x, y), type);
  chosen = ir.select(ir.compare(LLVMRealOEQ, a, b), same, chosen);
  return ir.select(ir.compare(LLVMRealUNO, b, b), a, chosen);
}

namespace {

// Whether the way of rounding changes what an operation gives.
bool is_rounded(Opcode opcode) {
  switch (opcode) {
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Neg:
    case Opcode::Abs:
    case Opcode::Copysign:
      return false;
    default:
      return true;
  }
}

}  // namespace

Value Reals::real(const Instruction& in) {
  const Type type = in.types[0];
  if (in.relu || in.keep_nan || in.xor_sign) return nullptr;
  // rcp and rsqrt that look at half of their operand (ptx/src/evaluate.cpp).
  if (type == Type::F64 && in.approximate && in.flush) return nullptr;
  if (is_rounded(in.opcode) && in.rounding != Rounding::Default && in.rounding != Rounding::Nearest)
    return nullptr;
  Value operands[3] = {};
  for (std::size_t i = 1; i < in.operands.size() && i <= 3; ++i)
    operands[i - 1] = flushed(ir, read(in.operands[i], type), in.flush);
  Value result = real_operation(in, operands[0], operands[1], operands[2]);
  if (result == nullptr) return nullptr;
  result = flushed(ir, result, in.flush);
  return in.saturate ? saturated(ir, result) : result;
}

Value Reals::real_operation(const Instruction& in, Value a, Value b, Value c) {
  IrType type = LLVMTypeOf(a);
  const bool is_single = type == ir.single;
  Value one = ir.real(type, 1);
  switch (in.opcode) {
    case Opcode::Add:
      return LLVMBuildFAdd(ir.at, a, b, "");
    case Opcode::Sub:
      return LLVMBuildFSub(ir.at, a, b, "");
    case Opcode::Mul:
      return LLVMBuildFMul(ir.at, a, b, "");
    case Opcode::Div:
      return LLVMBuildFDiv(ir.at, a, b, "");
    case Opcode::Fma:
    case Opcode::Mad:
      return ir.intrinsic("llvm.fma", {type}, {a, b, c});
    case Opcode::Min:
      return extreme(true, a, b);
    case Opcode::Max:
      return extreme(false, a, b);
    case Opcode::Neg:
      return LLVMBuildFNeg(ir.at, a, "");
    case Opcode::Abs:
      return ir.intrinsic("llvm.fabs", {type}, {a});
    case Opcode::Copysign:
      return ir.intrinsic("llvm.copysign", {type}, {b, a});  // PTX: magnitude of b, sign of a
    case Opcode::Sqrt:
      return ir.intrinsic("llvm.sqrt", {type}, {a});
    case Opcode::Rsqrt:
      return LLVMBuildFDiv(ir.at, one, ir.intrinsic("llvm.sqrt", {type}, {a}), "");
    case Opcode::Rcp:
      return LLVMBuildFDiv(ir.at, one, a, "");
    case Opcode::Ex2:
      return ir.library(is_single ? "exp2f" : "exp2", type, {a});
    case Opcode::Lg2:
      return ir.library(is_single ? "log2f" : "log2", type, {a});
    case Opcode::Sin:
      return ir.library(is_single ? "sinf" : "sin", type, {a});
    case Opcode::Cos:
      return ir.library(is_single ? "cosf" : "cos", type, {a});
    case Opcode::Tanh:
      return ir.library(is_single ? "tanhf" : "tanh", type, {a});
    default:
      return nullptr;
  }
}

// One half: sums and products of two halves rounded to float first come out the same.
Value Reals::half_each(const Instruction& in, const std::vector<Value>& operands) {
  std::vector<Value> wide;
  wide.reserve(operands.size());
  for (Value operand : operands) wide.push_back(widened(ir, Type::F16, operand));
  switch (in.opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Mul:
    case Opcode::Min:
    case Opcode::Max:
    case Opcode::Neg:
    case Opcode::Abs:
      return to_half(ir, real_operation(in, wide[0], wide.size() > 1 ? wide[1] : wide[0], nullptr));
    default:
      return nullptr;
  }
}

bool Reals::half(const Instruction& in) {
  const Type type = in.types[0];
  const bool pair = type == Type::F16x2;
  if (type != Type::F16 && !pair) return false;
  if (in.relu || in.keep_nan || in.xor_sign || in.saturate || in.flush) return false;
  if (in.opcode == Opcode::Fma || in.opcode == Opcode::Mad || in.operands.size() > 3) return false;
  Value result = nullptr;
  for (unsigned each = 0; each < (pair ? 2U : 1U); ++each) {
    std::vector<Value> operands;
    for (std::size_t i = 1; i < in.operands.size(); ++i) {
      Value bits = read(in.operands[i], type);
      if (each == 1) bits = ir.right(bits, ir.word(16));
      operands.push_back(ir.fit(bits, ir.i16, false));
    }
    Value part = half_each(in, operands);
    if (part == nullptr) return false;
    if (!pair) {
      result = part;
      break;
    }
    part = ir.fit(part, ir.i32, false);
    result = each == 0 ? part : ir.either(result, ir.left(part, ir.word(16)));
  }
  write(in.operands[0], result, type);
  return true;
}

}  // namespace compiler

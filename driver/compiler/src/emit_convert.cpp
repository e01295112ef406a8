// SPDX-License-Identifier: MIT
// Code for cvt. Conversions that compilers write become LLVM's; all others call the reference semantics.

// An example:
//   before:
//     cvt.rn.f32.s32 %f1, %r1;
//   after:
//     %real = sitofp i32 %whole to float
//     %bits = bitcast float %real to i32

#include "instructions.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Rounding;
using ptx::Type;

namespace {

bool is_wide_real(Type type) {
  return type == Type::F32 || type == Type::F64;
}
bool is_small_real(Type type) {
  return type == Type::F16 || type == Type::Bf16;
}
bool is_nearest(Rounding how) {
  return how == Rounding::Default || how == Rounding::Nearest;
}

}  // namespace

Value Conversions::rounded(Rounding how, Value value) {
  const char* const name = how == Rounding::Zero   ? "llvm.trunc"
                           : how == Rounding::Down ? "llvm.floor"
                           : how == Rounding::Up   ? "llvm.ceil"
                                                   : "llvm.roundeven";
  return ir.intrinsic(name, {LLVMTypeOf(value)}, {value});
}

void Conversions::convert(const Instruction& in) {
  if (in.types.size() < 2 || in.types.size() > 2) unsupported(in);
  if (in.operands.size() == 2 && !in.relu &&
      (convert_integer(in) || convert_to_integer(in) || convert_real(in)))
    return;
  emit_reference(body, in);
}

// From an integer.
bool Conversions::convert_integer(const Instruction& in) {
  const Type to = in.types[0], from = in.types[1];
  if (ptx::is_float(from)) return false;
  const bool is_signed = ptx::is_signed(from);
  Value value = read(in.operands[1], from);
  if (!ptx::is_float(to)) {
    if (in.saturate) return false;
    write(in.operands[0], ir.fit(value, ir.bits_of(to), is_signed), to);
    return true;
  }
  if (!is_wide_real(to) || !is_nearest(in.rounding) || in.saturate) return false;
  write(in.operands[0],
        is_signed ? LLVMBuildSIToFP(ir.at, value, ir.value_of(to), "")
                  : LLVMBuildUIToFP(ir.at, value, ir.value_of(to), ""),
        to);
  return true;
}

// Out of range clamps; NaN becomes 0, or where either has 64 bits only the highest bit.
bool Conversions::convert_to_integer(const Instruction& in) {
  const Type to = in.types[0], from = in.types[1];
  if (ptx::is_float(to) || !(is_wide_real(from) || is_small_real(from))) return false;
  Value value = read(in.operands[1], from);
  value = is_small_real(from) ? widened(ir, from, value) : flushed(ir, value, in.flush && from == Type::F32);
  value = rounded(in.to_integral ? in.rounding : Rounding::Zero, value);
  const char* const name = ptx::is_signed(to) ? "llvm.fptosi.sat" : "llvm.fptoui.sat";
  IrType whole = ir.bits_of(to);
  Value result = ir.intrinsic(name, {whole, LLVMTypeOf(value)}, {value});
  if (from == Type::F64 || ptx::size_of(to) == 8) {
    Value top = ir.number(whole, std::uint64_t{1} << (8 * ptx::size_of(to) - 1));
    result = ir.select(ir.compare(LLVMRealUNO, value, value), top, result);
  }
  write(in.operands[0], result, to);
  return true;
}

bool Conversions::convert_real(const Instruction& in) {
  const Type to = in.types[0], from = in.types[1];
  if (!ptx::is_float(to) || !ptx::is_float(from)) return false;
  if (is_small_real(from) && to == Type::F32 && !in.saturate && !in.to_integral && !in.flush) {
    write(in.operands[0], widened(ir, from, read(in.operands[1], from)), to);
    return true;
  }
  if (!is_wide_real(from)) return false;
  Value value = flushed(ir, read(in.operands[1], from), in.flush);
  if (from == Type::F32 && to == Type::F16) {
    if (!is_nearest(in.rounding) || in.saturate || in.flush || in.to_integral) return false;
    write(in.operands[0], to_half(ir, value), to);
    return true;
  }
  if (!is_wide_real(to)) return false;
  if (in.to_integral) value = rounded(in.rounding, value);
  if (from == Type::F32 && to == Type::F64) value = LLVMBuildFPExt(ir.at, value, ir.twice, "");
  if (from == Type::F64 && to == Type::F32) {
    if (!in.to_integral && !is_nearest(in.rounding)) return false;
    value = LLVMBuildFPTrunc(ir.at, value, ir.single, "");
  }
  value = flushed(ir, value, in.flush);
  write(in.operands[0], in.saturate ? saturated(ir, value) : value, to);
  return true;
}

}  // namespace compiler

// SPDX-License-Identifier: MIT
// What instructions on floating-point numbers have in common: subnormal numbers, the range from 0 to 1,
// halves.
#include "instructions.hpp"

namespace compiler {

using ptx::Type;

Value flushed(Ir& ir, Value a, bool flush) {
  if (!flush) return a;
  IrType type = LLVMTypeOf(a);
  Value size = ir.intrinsic("llvm.fabs", {type}, {a});
  Value least = ir.real(type, type == ir.single ? 1.1754943508222875e-38 : 2.2250738585072014e-308);
  Value tiny = ir.compare(LLVMRealOLT, size, least);
  Value zero = ir.intrinsic("llvm.copysign", {type}, {ir.real(type, 0), a});
  return ir.select(tiny, zero, a);
}

Value saturated(Ir& ir, Value a) {
  IrType type = LLVMTypeOf(a);
  Value zero = ir.real(type, 0), one = ir.real(type, 1);
  Value above = ir.select(ir.compare(LLVMRealOGT, a, zero), a, zero);  // NaN becomes 0
  return ir.select(ir.compare(LLVMRealOLT, above, one), above, one);
}

Value widened(Ir& ir, Type type, Value bits) {
  if (type == Type::Bf16) return ir.cast(ir.left(ir.fit(bits, ir.i32, false), ir.word(16)), ir.single);
  return LLVMBuildFPExt(ir.at, ir.cast(bits, ir.half), ir.single, "");
}

// NaN in the one form that the hardware gives.
Value to_half(Ir& ir, Value value) {
  Value bits = ir.cast(LLVMBuildFPTrunc(ir.at, value, ir.half, ""), ir.i16);
  return ir.select(ir.compare(LLVMRealUNO, value, value), ir.number(ir.i16, 0x7fff), bits);
}

}  // namespace compiler

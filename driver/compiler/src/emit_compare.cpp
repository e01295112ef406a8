// SPDX-License-Identifier: MIT
// Code for comparisons (setp, set) and for selections by one (selp, slct).

// An example:
//   before:
//     selp.b32 %r1, %r2, %r3, %p1;
//   after:
//     %p1 = load i1, ptr %place_of_p1, align 1
//     %r1 = select i1 %p1, i32 %r2, i32 %r3

#include <cmath>

#include "instructions.hpp"

namespace compiler {

using ptx::Combine;
using ptx::Compare;
using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

namespace {

LLVMRealPredicate real_predicate(Compare how) {
  constexpr LLVMRealPredicate kTable[] = {LLVMRealOEQ, LLVMRealONE, LLVMRealOLT, LLVMRealOLE, LLVMRealOGT,
                                          LLVMRealOGE, LLVMRealUEQ, LLVMRealUNE, LLVMRealULT, LLVMRealULE,
                                          LLVMRealUGT, LLVMRealUGE, LLVMRealORD, LLVMRealUNO};
  return kTable[static_cast<unsigned>(how)];
}

LLVMIntPredicate integer_predicate(Compare how, bool is_signed) {
  constexpr LLVMIntPredicate kPlain[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntULT,
                                         LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
  constexpr LLVMIntPredicate kWithSign[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT,
                                            LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
  const unsigned index = static_cast<unsigned>(how) % 6;
  return is_signed ? kWithSign[index] : kPlain[index];
}

// Subnormal halves are normal once they are widened. No comparison asks for a zero's sign.
Value without_subnormal_half(Ir& ir, Value a) {
  Value size = ir.intrinsic("llvm.fabs", {ir.single}, {a});
  Value tiny = ir.compare(LLVMRealOLT, size, ir.real(ir.single, 6.103515625e-05));
  return ir.select(tiny, ir.real(ir.single, 0), a);
}

// The type of each half, where there are two.
Type half_of(Type type) {
  return type == Type::F16x2 ? Type::F16 : type == Type::Bf16x2 ? Type::Bf16 : Type::None;
}
Value half_at(Ir& ir, Value bits, unsigned place) {
  return ir.fit(ir.right(bits, ir.word(place)), ir.i16, false);
}

}  // namespace

Value Comparisons::compared(Compare how, Type type, bool flush, Value a, Value b) {
  if (type == Type::F16 || type == Type::Bf16) {
    a = widened(ir, type, a);
    b = widened(ir, type, b);
    if (flush && type == Type::F16) {
      a = without_subnormal_half(ir, a);
      b = without_subnormal_half(ir, b);
    }
  } else if (type != Type::F32 && type != Type::F64) {
    if (how >= Compare::Num) return ir.number(ir.i1, how == Compare::Num ? 1 : 0);
    return ir.compare(integer_predicate(how, ptx::is_signed(type)), a, b);
  }
  return ir.compare(real_predicate(how), flushed(ir, a, flush), flushed(ir, b, flush));
}

Value Comparisons::combined(Combine how, Value a, Value b) {
  switch (how) {
    case Combine::And:
      return ir.both(a, b);
    case Combine::Or:
      return ir.either(a, b);
    case Combine::Xor:
      return ir.differs(a, b);
    case Combine::None:
      break;
  }
  return a;
}

void Comparisons::set_predicate(const Instruction& in) {
  const Type type = in.types[0];
  const Type half = half_of(type);
  Value a = read(in.operands[1], type), b = read(in.operands[2], type);
  Value result = nullptr, other = nullptr;
  if (half == Type::None) {
    result = compared(in.compare, type, in.flush, a, b);
    other = ir.no(result);
  } else {
    result = compared(in.compare, half, in.flush, half_at(ir, a, 0), half_at(ir, b, 0));
    other = compared(in.compare, half, in.flush, half_at(ir, a, 16), half_at(ir, b, 16));
  }
  if (in.combine != Combine::None && in.operands.size() > 3) {
    Value with = read(in.operands[3], Type::Pred);
    result = combined(in.combine, result, with);
    other = combined(in.combine, other, with);
  }
  const Operand& to = in.operands[0];
  if (to.kind != Operand::Kind::Vector) return write(to, result, Type::Pred);
  write(to.parts[0], result, Type::Pred);
  if (to.parts.size() > 1) write(to.parts[1], other, Type::Pred);
}

void Comparisons::set_value(const Instruction& in) {
  const Type to = in.types[0], from = in.types.size() > 1 ? in.types[1] : in.types[0];
  if (ptx::size_of(to) < 2) unsupported(in);
  Value a = read(in.operands[1], from), b = read(in.operands[2], from);
  const auto set = [&](Type target, Type type, Value x, Value y) {
    Value result = compared(in.compare, type, in.flush, x, y);
    if (in.combine != Combine::None && in.operands.size() > 3)
      result = combined(in.combine, result, read(in.operands[3], Type::Pred));
    const std::uint64_t one = !ptx::is_float(target) ? 0xffffffffU
                              : target == Type::F32  ? 0x3f800000U
                              : target == Type::Bf16 ? 0x3f80U
                                                     : 0x3c00U;
    IrType whole = ir.bits_of(target);
    return ir.select(result, ir.number(whole, one), LLVMConstNull(whole));
  };
  const Type half = half_of(from);
  if (half == Type::None) return write(in.operands[0], set(to, from, a, b), to);
  // Two numbers, or two integers of 16 bits.
  const Type target = ptx::is_float(to) ? half : Type::U16;
  Value low = ir.fit(set(target, half, half_at(ir, a, 0), half_at(ir, b, 0)), ir.i32, false);
  Value high = ir.fit(set(target, half, half_at(ir, a, 16), half_at(ir, b, 16)), ir.i32, false);
  write(in.operands[0], ir.either(low, ir.left(high, ir.word(16))), to);
}

Value Comparisons::property(const Instruction& in) {
  Value value = read(in.operands[1], in.types[0]);
  IrType type = LLVMTypeOf(value);
  Value size = ir.intrinsic("llvm.fabs", {type}, {value});
  Value infinite = LLVMConstReal(type, HUGE_VAL);
  Value least = ir.real(type, type == ir.single ? 1.1754943508222875e-38 : 2.2250738585072014e-308);
  Value zero = ir.compare(LLVMRealOEQ, size, ir.real(type, 0));
  switch (in.property) {
    case ptx::Property::Finite:
      return ir.compare(LLVMRealOLT, size, infinite);
    case ptx::Property::Infinite:
      return ir.compare(LLVMRealOEQ, size, infinite);
    case ptx::Property::Number:
      return ir.compare(LLVMRealORD, value, value);
    case ptx::Property::NotANumber:
      return ir.compare(LLVMRealUNO, value, value);
    case ptx::Property::Normal:
      return ir.both(ir.either(ir.compare(LLVMRealOGE, size, least), zero),  // zeros are normal
                     ir.compare(LLVMRealOLT, size, infinite));
    case ptx::Property::Subnormal:
      return ir.both(ir.compare(LLVMRealOLT, size, least), ir.no(zero));
  }
  return LLVMConstNull(ir.i1);
}

void Comparisons::select(const Instruction& in) {
  const Type type = in.types[0];
  write(in.operands[0],
        ir.select(read(in.operands[3], Type::Pred), read(in.operands[1], type), read(in.operands[2], type)),
        type);
}

void Comparisons::select_by_sign(const Instruction& in) {
  const Type type = in.types[0], by = in.types.size() > 1 ? in.types[1] : Type::S32;
  Value sign = read(in.operands[3], by);
  Value yes = compared(Compare::Ge, by, in.flush, sign, LLVMConstNull(LLVMTypeOf(sign)));
  write(in.operands[0], ir.select(yes, read(in.operands[1], type), read(in.operands[2], type)), type);
}

}  // namespace compiler

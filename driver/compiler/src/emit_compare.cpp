// Comparisons and what is chosen by them.
#include <cmath>

#include "body.hpp"

namespace compiler {

using ptx::Combine;
using ptx::Compare;
using ptx::Instruction;
using ptx::Operand;
using ptx::Type;

namespace {

LLVMRealPredicate real_predicate(Compare how) {
  constexpr LLVMRealPredicate table[] = {LLVMRealOEQ, LLVMRealONE, LLVMRealOLT, LLVMRealOLE, LLVMRealOGT,
                                         LLVMRealOGE, LLVMRealUEQ, LLVMRealUNE, LLVMRealULT, LLVMRealULE,
                                         LLVMRealUGT, LLVMRealUGE, LLVMRealORD, LLVMRealUNO};
  return table[static_cast<unsigned>(how)];
}

LLVMIntPredicate integer_predicate(Compare how, bool is_signed) {
  constexpr LLVMIntPredicate plain[] = {LLVMIntEQ, LLVMIntNE, LLVMIntULT, LLVMIntULE, LLVMIntUGT, LLVMIntUGE};
  constexpr LLVMIntPredicate with_sign[] = {LLVMIntEQ,  LLVMIntNE,  LLVMIntSLT,
                                            LLVMIntSLE, LLVMIntSGT, LLVMIntSGE};
  const unsigned index = static_cast<unsigned>(how) % 6;
  return is_signed ? with_sign[index] : plain[index];
}

}  // namespace

Value Body::compared(Compare how, Type type, bool flush, Value a, Value b) {
  if (type == Type::F16 || type == Type::Bf16) {
    a = widened(type, a);
    b = widened(type, b);
  } else if (type != Type::F32 && type != Type::F64) {
    if (how >= Compare::Num) return ir.number(ir.i1, how == Compare::Num ? 1 : 0);
    return ir.compare(integer_predicate(how, ptx::is_signed(type)), a, b);
  }
  return ir.compare(real_predicate(how), flushed(a, flush), flushed(b, flush));
}

Value Body::combined(Combine how, Value a, Value b) {
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

void Body::set_predicate(const Instruction& in) {
  const Type type = in.types[0];
  if (type == Type::F16x2 || type == Type::Bf16x2) unsupported(in);
  Value result = compared(in.compare, type, in.flush, read(in.operands[1], type), read(in.operands[2], type));
  Value other = ir.no(result);
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

void Body::set_value(const Instruction& in) {
  const Type to = in.types[0], from = in.types.size() > 1 ? in.types[1] : in.types[0];
  if (from == Type::F16x2 || from == Type::Bf16x2 || ptx::size_of(to) < 2) unsupported(in);
  Value result = compared(in.compare, from, in.flush, read(in.operands[1], from), read(in.operands[2], from));
  if (in.combine != Combine::None && in.operands.size() > 3)
    result = combined(in.combine, result, read(in.operands[3], Type::Pred));
  const std::uint64_t one = !ptx::is_float(to) ? 0xffffffffU : to == Type::F32 ? 0x3f800000U : 0x3c00U;
  IrType whole = ir.bits_of(to);
  write(in.operands[0], ir.select(result, ir.number(whole, one), LLVMConstNull(whole)), to);
}

Value Body::property(const Instruction& in) {
  Value value = read(in.operands[1], in.types[0]);
  IrType type = LLVMTypeOf(value);
  Value size = ir.intrinsic("llvm.fabs", {type}, {value});
  Value infinite = LLVMConstReal(type, HUGE_VAL);
  Value least = ir.real(type, type == ir.single ? 1.1754943508222875e-38 : 2.2250738585072014e-308);
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
      return ir.both(ir.compare(LLVMRealOGE, size, least), ir.compare(LLVMRealOLT, size, infinite));
    case ptx::Property::Subnormal:
      return ir.compare(LLVMRealOLT, size, least);
  }
  return LLVMConstNull(ir.i1);
}

void Body::select(const Instruction& in) {
  const Type type = in.types[0];
  write(in.operands[0],
        ir.select(read(in.operands[3], Type::Pred), read(in.operands[1], type), read(in.operands[2], type)),
        type);
}

void Body::select_by_sign(const Instruction& in) {
  const Type type = in.types[0], by = in.types.size() > 1 ? in.types[1] : Type::S32;
  Value sign = read(in.operands[3], by);
  Value yes = compared(Compare::Ge, by, in.flush, sign, LLVMConstNull(LLVMTypeOf(sign)));
  write(in.operands[0], ir.select(yes, read(in.operands[1], type), read(in.operands[2], type)), type);
}

}  // namespace compiler

// SPDX-License-Identifier: MIT
// Part of the interpreter: instructions that compute values and do not access memory. evaluate() does the
// arithmetic itself; here are instructions with several results or types, and the storing of results.
#include "formats.hpp"
#include "interpreter.hpp"
#include "ptx/evaluate.hpp"

namespace ptx {
namespace {

bool combine(Combine how, bool a, bool b) {
  if (how == Combine::None) return a;
  return how == Combine::And ? a && b : how == Combine::Or ? a || b : a != b;
}

// cvt.rn.f16x2.f32 d, a, b: a above b.
u64 convert_pair(const Instruction& in, const u64* values) {
  Instruction each = in;
  each.types[0] = in.types[0] == Type::F16x2 ? Type::F16 : Type::Bf16;
  return (convert(each, values[0]) << 16) | convert(each, values[1]);
}

bool compare_flushed(const Instruction& in, Type type, u64 a, u64 b) {
  const bool flushes = in.flush && is_float(type);
  return flushes ? compare(in.compare, type, flush(type, a), flush(type, b))
                 : compare(in.compare, type, a, b);
}

// The type of each half, where there are two.
Type half_of(Type type) {
  return type == Type::F16x2 ? Type::F16 : type == Type::Bf16x2 ? Type::Bf16 : Type::None;
}

u64 set_value(const Instruction& in, const u64* values) {
  const auto set = [&](Type to, Type from, u64 a, u64 b) {
    bool result = compare_flushed(in, from, a, b);
    if (in.combine != Combine::None) result = combine(in.combine, result, (values[2] & 1) != 0);
    if (!result) return u64{0};
    if (to == Type::F32) return u64{0x3f800000};
    if (to == Type::F16) return u64{0x3c00};
    return to == Type::Bf16 ? u64{0x3f80} : truncate(to, ~u64{0});
  };
  const Type half = half_of(in.types[1]);
  if (half == Type::None) return set(in.types[0], in.types[1], values[0], values[1]);
  // Two numbers, or two integers of 16 bits.
  const Type to = is_float(in.types[0]) ? half : Type::U16;
  return set(to, half, values[0] >> 16, values[1] >> 16) << 16 |
         set(to, half, values[0] & 0xffff, values[1] & 0xffff);
}

Type operand_type(const Instruction& in, std::size_t index) {
  if (in.types.empty()) return Type::B64;
  if (in.opcode == Opcode::Cvt && in.types.size() > 1) return in.types[1];
  if ((in.opcode == Opcode::Set || (in.opcode == Opcode::Slct && index == 3)) && in.types.size() > 1)
    return index == 3 && in.opcode == Opcode::Set ? Type::Pred : in.types[1];
  if (in.opcode == Opcode::Selp && index == 3) return Type::Pred;
  if ((in.opcode == Opcode::Shl || in.opcode == Opcode::Shr) && index == 2) return Type::U32;
  return in.types[0];
}

u64 select_by_sign(const Instruction& in, const u64* values) {
  const Type type = in.types.size() > 1 ? in.types[1] : Type::S32;
  const u64 by = in.flush && is_float(type) ? flush(type, values[2]) : values[2];
  return compare(Compare::Ge, type, by, 0) ? values[0] : values[1];
}

u64 test_property(const Instruction& in, u64 bits) {
  const bool single = in.types[0] == Type::F32;
  const u64 exponent = single ? (bits >> 23) & 0xff : (bits >> 52) & 0x7ff;
  const u64 fraction = single ? bits & 0x7fffff : bits & ((u64{1} << 52) - 1);
  const bool top = exponent == (single ? 0xffu : 0x7ffu);
  switch (in.property) {
    case Property::Finite:
      return top ? 0 : 1;
    case Property::Infinite:
      return top && fraction == 0 ? 1 : 0;
    case Property::Number:
      return top && fraction != 0 ? 0 : 1;
    case Property::NotANumber:
      return top && fraction != 0 ? 1 : 0;
    case Property::Normal:
      return !top && (exponent != 0 || fraction == 0) ? 1 : 0;  // zeros are normal
    case Property::Subnormal:
      return exponent == 0 && fraction != 0 ? 1 : 0;
  }
  return 0;
}

// A vector may have one part only, as wide as a register.
u64 low_bits(unsigned count) {
  return count >= 64 ? ~u64{0} : (u64{1} << count) - 1;
}

Space space_of(u64 address) {
  const u64 window = address & kWindowMask;
  return window == kSharedWindow ? Space::Shared : window == kLocalWindow ? Space::Local : Space::Global;
}

}  // namespace

void Interpreter::compute(Thread& thread, Frame& frame, const Instruction& in) {
  u64 values[4] = {};
  for (std::size_t i = 1; i < in.operands.size() && i <= 4; ++i)
    values[i - 1] = value(thread, frame, in.operands[i], operand_type(in, i));
  u64 result = 0;
  if (in.opcode == Opcode::Cvt)
    result = in.operands.size() > 2 ? convert_pair(in, values) : convert(in, values[0]);
  else if (in.opcode == Opcode::Set)
    result = set_value(in, values);
  else if (in.opcode == Opcode::Selp)
    result = (values[2] & 1) != 0 ? values[0] : values[1];
  else if (in.opcode == Opcode::Slct)
    result = select_by_sign(in, values);
  else if (in.opcode == Opcode::Isspacep)
    result = is_in_space(in, values[0]) ? 1 : 0;
  else if (in.opcode == Opcode::Mapa)
    result = (values[0] & ~kRankBits) | (((values[1] + 1) << kRankShift) & kRankBits);
  else if (in.opcode == Opcode::Getctarank)
    result = rank_of(values[0]);
  else if (in.opcode == Opcode::Testp)
    result = test_property(in, values[0]);
  else
    result = evaluate(in, values[0], values[1], values[2], values[3], frame.carry);
  const Operand& to = in.operands[0];
  if (in.opcode == Opcode::Cvt && to.kind == Operand::Kind::Register)
    result &= low_bits(size_of(frame.function->register_types[to.reg]) * 8);
  write(frame, to, result);
  if (in.opcode != Opcode::Lop3 || !to.pair) return;
  const bool with = in.operands.size() > 5 && (value(thread, frame, in.operands[5], Type::Pred) & 1) != 0;
  write(frame, to.parts[1], combine(in.combine, truncate(Type::U32, result) != 0, with) ? 1 : 0);
}

void Interpreter::set_predicate(Thread& thread, Frame& frame, const Instruction& in) {
  const Type type = in.types[0];
  const u64 a = value(thread, frame, in.operands[1], type), b = value(thread, frame, in.operands[2], type);
  const Type half = half_of(type);
  // Two halves give two results; a number gives one and its opposite.
  bool result = compare_flushed(in, half == Type::None ? type : half, a, b);
  bool other = half == Type::None ? !result : compare_flushed(in, half, a >> 16, b >> 16);
  if (in.combine != Combine::None && in.operands.size() > 3) {
    const bool with = (value(thread, frame, in.operands[3], Type::Pred) & 1) != 0;
    result = combine(in.combine, result, with);
    other = combine(in.combine, other, with);
  }
  const Operand& target = in.operands[0];
  if (target.kind != Operand::Kind::Vector) return write(frame, target, result ? 1 : 0);
  write(frame, target.parts[0], result ? 1 : 0);
  write(frame, target.parts[1], other ? 1 : 0);
}

// mov, with packing and unpacking of vectors.
void Interpreter::move(Thread& thread, Frame& frame, const Instruction& in) {
  const Type type = in.types[0];
  const Operand& to = in.operands[0];
  const Operand& from = in.operands[1];
  u64 bits = 0;
  if (from.kind == Operand::Kind::Vector) {
    const unsigned each = size_of(type) * 8 / static_cast<unsigned>(from.parts.size());
    for (std::size_t i = 0; i < from.parts.size(); ++i) {
      const u64 part = value(thread, frame, from.parts[i], Type::B64);
      bits |= (part & low_bits(each)) << (i * each);
    }
  } else {
    bits = value(thread, frame, from, type);
  }
  if (to.kind != Operand::Kind::Vector) return write(frame, to, truncate(type, bits));
  const unsigned each = size_of(type) * 8 / static_cast<unsigned>(to.parts.size());
  for (std::size_t i = 0; i < to.parts.size(); ++i)
    write(frame, to.parts[i], (bits >> (i * each)) & low_bits(each));
}

bool Interpreter::is_in_space(const Instruction& in, u64 address) const {
  const Space space = space_of(address);
  if (in.space != Space::Shared || space != Space::Shared) return space == in.space;
  return in.of_cluster ? rank_of(address) < cluster_.size() : rank_of(address) == now_->rank;
}

void Interpreter::convert_address(Thread& thread, Frame& frame, const Instruction& in) {
  const u64 address = value(thread, frame, in.operands[1], Type::B64);
  const u64 base = in.space == Space::Shared ? kSharedWindow : in.space == Space::Local ? kLocalWindow : 0;
  write(frame, in.operands[0], in.to_space ? (base == 0 ? address : address & ~kWindowMask) : address | base);
}

}  // namespace ptx

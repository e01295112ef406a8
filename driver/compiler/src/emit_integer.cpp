// SPDX-License-Identifier: MIT
// Arithmetic on integers and bits, as the PTX ISA defines it: shifts clamp at the width, division by zero
// gives all ones.

// An example:
//   before:
//     shl.b32 %r1, %r2, %r3;
//   after:
//     %too_far = icmp ugt i32 %by, 31
//     %clamped = select i1 %too_far, i32 31, i32 %by
//     %shifted = shl i32 %value, %clamped
//     %result = select i1 %too_far, i32 0, i32 %shifted

#include "instructions.hpp"

namespace compiler {

using ptx::Instruction;
using ptx::Opcode;
using ptx::Operand;
using ptx::Type;

void Integers::move(const Instruction& in) {
  const Type type = in.types[0];
  const Operand& to = in.operands[0];
  const Operand& from = in.operands[1];
  if (from.kind != Operand::Kind::Vector && to.kind != Operand::Kind::Vector)
    return write(to, read(from, type), type);
  IrType whole = ir.bits_of(type);
  const unsigned bits = ptx::size_of(type) * 8;
  Value value = LLVMConstNull(whole);
  if (from.kind == Operand::Kind::Vector) {
    const unsigned each = bits / static_cast<unsigned>(from.parts.size());
    for (std::size_t i = 0; i < from.parts.size(); ++i) {
      Value part = ir.fit(ir.fit(read(from.parts[i], Type::B64), ir.integer(each), false), whole, false);
      value = ir.either(value, ir.left(part, ir.number(whole, i * each)));
    }
  } else {
    value = ir.fit(read(from, type), whole, false);
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMIntegerTypeKind) value = ir.cast(value, whole);
  }
  if (to.kind != Operand::Kind::Vector) return write(to, value, type);
  const unsigned each = bits / static_cast<unsigned>(to.parts.size());
  for (std::size_t i = 0; i < to.parts.size(); ++i) {
    Value part = ir.fit(ir.right(value, ir.number(whole, i * each)), ir.integer(each), false);
    if (to.parts[i].kind == Operand::Kind::Register)
      body.set_register(to.parts[i].reg, ir.fit(part, body.register_type(to.parts[i].reg), false));
  }
}

Value Integers::integer(const Instruction& in) {
  const Type type = in.types[0];
  const auto operand = [&](std::size_t i) { return read(in.operands[i], type); };
  if (in.relu) return nullptr;
  switch (in.opcode) {
    case Opcode::Add:
    case Opcode::Sub:
    case Opcode::Addc:
    case Opcode::Subc: {
      const bool adds = in.opcode == Opcode::Add || in.opcode == Opcode::Addc;
      if (in.saturate)
        return ir.intrinsic(adds ? "llvm.sadd.sat" : "llvm.ssub.sat", {ir.bits_of(type)},
                            {operand(1), operand(2)});
      if (in.carry_out || in.opcode == Opcode::Addc || in.opcode == Opcode::Subc)
        return with_carry(in, operand(1), operand(2));
      if (type == Type::U16 || ptx::size_of(type) >= 2)
        return adds ? ir.add(operand(1), operand(2)) : ir.sub(operand(1), operand(2));
      return nullptr;
    }
    case Opcode::Div:
    case Opcode::Rem:
      return divide(in);
    case Opcode::Min:
    case Opcode::Max: {
      if (type == Type::B16 || type == Type::B32) return nullptr;
      const bool least = in.opcode == Opcode::Min;
      const LLVMIntPredicate how =
          ptx::is_signed(type) ? (least ? LLVMIntSLT : LLVMIntSGT) : (least ? LLVMIntULT : LLVMIntUGT);
      return ir.select(ir.compare(how, operand(1), operand(2)), operand(1), operand(2));
    }
    case Opcode::Neg:
      return LLVMBuildNeg(ir.at, operand(1), "");
    case Opcode::Abs:
      return ir.intrinsic("llvm.abs", {ir.bits_of(type)}, {operand(1), LLVMConstNull(ir.i1)});
    case Opcode::And:
      return ir.both(operand(1), operand(2));
    case Opcode::Or:
      return ir.either(operand(1), operand(2));
    case Opcode::Xor:
      return ir.differs(operand(1), operand(2));
    case Opcode::Not:
      return ir.no(operand(1));
    case Opcode::Shl:
    case Opcode::Shr:
      return shift(in);
    default:
      return integer_bits(in);
  }
}

Value Integers::integer_bits(const Instruction& in) {
  const Type type = in.types[0];
  IrType whole = ir.bits_of(type);
  const auto operand = [&](std::size_t i) { return read(in.operands[i], type); };
  switch (in.opcode) {
    case Opcode::Cnot:
      return ir.fit(ir.compare(LLVMIntEQ, operand(1), LLVMConstNull(whole)), whole, false);
    case Opcode::Shf:
      return funnel(in);
    case Opcode::Prmt:
      return permute(in);
    case Opcode::Lop3:
      return lookup(in);
    case Opcode::Bfi:
      return insert(in);
    case Opcode::Popc:
      return ir.intrinsic("llvm.ctpop", {whole}, {operand(1)});
    case Opcode::Clz:
      return ir.intrinsic("llvm.ctlz", {whole}, {operand(1), LLVMConstNull(ir.i1)});
    case Opcode::Brev:
      return ir.intrinsic("llvm.bitreverse", {whole}, {operand(1)});
    case Opcode::Bfind:
      return highest_bit(in);
    case Opcode::Sad: {
      Value a = operand(1), b = operand(2);
      Value less = ir.compare(ptx::is_signed(type) ? LLVMIntSLT : LLVMIntULT, a, b);
      return ir.add(operand(3), ir.select(less, ir.sub(b, a), ir.sub(a, b)));
    }
    case Opcode::Bfe: {
      if (ptx::is_signed(type)) return nullptr;
      const unsigned bits = ptx::size_of(type) * 8;
      Value at = field_number(in, 2), length = field_number(in, 3);
      Value none = LLVMConstNull(whole), all = LLVMConstAllOnes(whole);
      const auto in_range = [&](Value n) { return ir.compare(LLVMIntULT, n, ir.word(bits)); };
      const auto safe = [&](Value n) { return ir.fit(ir.both(n, ir.word(bits - 1)), whole, false); };
      Value moved = ir.select(in_range(at), ir.right(operand(1), safe(at)), none);
      Value mask = ir.select(in_range(length), ir.no(ir.left(all, safe(length))), all);
      return ir.both(moved, mask);
    }
    default:
      return nullptr;
  }
}

// Product, high half, or double width; mad adds in the width of the result.
Value Integers::multiply(const Instruction& in, Type& result_type) {
  const Type type = in.types[0];
  const bool is_signed = ptx::is_signed(type);
  const unsigned bits = ptx::size_of(type) * 8;
  Value a = read(in.operands[1], type), b = read(in.operands[2], type);
  Value product = nullptr;
  if (in.saturate) return nullptr;
  if (in.wide) {
    IrType twice = ir.integer(bits * 2);
    product = ir.mul(ir.fit(a, twice, is_signed), ir.fit(b, twice, is_signed));
    result_type = bits == 32 ? (is_signed ? Type::S64 : Type::U64) : (is_signed ? Type::S32 : Type::U32);
  } else if (in.hi) {
    IrType twice = ir.integer(bits * 2);
    product = ir.mul(ir.fit(a, twice, is_signed), ir.fit(b, twice, is_signed));
    product = ir.fit(ir.right(product, ir.number(twice, bits)), ir.integer(bits), false);
  } else {
    product = ir.mul(a, b);
  }
  if (in.opcode == Opcode::Mul) return product;
  Value added = read(in.operands[3], result_type);
  if (in.carry_out || in.opcode == Opcode::Madc) return with_carry(in, product, added);
  return ir.add(product, added);
}

Value Integers::divide(const Instruction& in) {
  const Type type = in.types[0];
  const bool rest = in.opcode == Opcode::Rem, is_signed = ptx::is_signed(type);
  IrType whole = ir.bits_of(type);
  Value a = read(in.operands[1], type), b = read(in.operands[2], type);
  Value none = LLVMConstNull(whole), all = LLVMConstAllOnes(whole);
  Value zero = ir.compare(LLVMIntEQ, b, none);
  Value minus = is_signed ? ir.compare(LLVMIntEQ, b, all) : LLVMConstNull(ir.i1);
  Value by = ir.select(ir.either(zero, minus), ir.number(whole, 1), b);
  Value result = rest ? (is_signed ? LLVMBuildSRem(ir.at, a, by, "") : LLVMBuildURem(ir.at, a, by, ""))
                      : (is_signed ? LLVMBuildSDiv(ir.at, a, by, "") : LLVMBuildUDiv(ir.at, a, by, ""));
  if (is_signed && !rest) result = ir.select(minus, LLVMBuildNeg(ir.at, a, ""), result);
  return ir.select(zero, rest ? a : all, result);
}

Value Integers::shift(const Instruction& in) {
  const Type type = in.types[0];
  IrType whole = ir.bits_of(type);
  Value value = read(in.operands[1], type), amount = read(in.operands[2], Type::U32);
  Value most = ir.word(ptx::size_of(type) * 8 - 1);
  Value over = ir.compare(LLVMIntUGT, amount, most);
  Value by = ir.fit(ir.select(over, most, amount), whole, false);
  if (in.opcode == Opcode::Shr && ptx::is_signed(type)) return LLVMBuildAShr(ir.at, value, by, "");
  Value moved = in.opcode == Opcode::Shl ? ir.left(value, by) : ir.right(value, by);
  return ir.select(over, LLVMConstNull(whole), moved);
}

Value Integers::with_carry(const Instruction& in, Value a, Value b) {
  const bool uses = in.opcode == Opcode::Addc || in.opcode == Opcode::Subc || in.opcode == Opcode::Madc;
  const bool subtracts = in.opcode == Opcode::Sub || in.opcode == Opcode::Subc;
  IrType whole = LLVMTypeOf(a);
  const unsigned bits = LLVMGetIntTypeWidth(whole);
  IrType twice = ir.integer(bits * 2);
  Value x = ir.fit(a, twice, false), y = ir.fit(b, twice, false);
  Value sum = subtracts ? ir.sub(x, y) : ir.add(x, y);
  if (uses) {
    Value carried = ir.fit(ir.load(ir.i1, body.carry()), twice, false);
    sum = subtracts ? ir.sub(sum, carried) : ir.add(sum, carried);
  }
  if (in.carry_out) ir.store(ir.fit(ir.right(sum, ir.number(twice, bits)), ir.i1, false), body.carry());
  return ir.fit(sum, whole, false);
}

// shf: the 64 bits b:a moved, one half kept.
Value Integers::funnel(const Instruction& in) {
  Value a = read(in.operands[1], Type::B32), b = read(in.operands[2], Type::B32);
  Value amount = read(in.operands[3], Type::U32);
  Value moved = ir.intrinsic(in.left ? "llvm.fshl" : "llvm.fshr", {ir.i32}, {b, a, amount});
  if (!in.clamp) return moved;
  return ir.select(ir.compare(LLVMIntUGE, amount, ir.word(32)), in.left ? a : b, moved);
}

Value Integers::permute(const Instruction& in) {
  if (in.permute != ptx::Permute::Selector) return nullptr;
  Value pair = ir.either(ir.left(ir.fit(read(in.operands[2], Type::B32), ir.i64, false), ir.wide(32)),
                         ir.fit(read(in.operands[1], Type::B32), ir.i64, false));
  Value selector = read(in.operands[3], Type::B32), result = ir.word(0);
  for (unsigned i = 0; i < 4; ++i) {
    Value pick = ir.both(ir.right(selector, ir.word(std::uint64_t{4} * i)), ir.word(15));
    Value at = ir.fit(ir.left(ir.both(pick, ir.word(7)), ir.word(3)), ir.i64, false);
    Value byte = ir.fit(ir.right(pair, at), ir.i8, false);
    Value sign = LLVMBuildAShr(ir.at, byte, ir.number(ir.i8, 7), "");
    Value signs = ir.compare(LLVMIntNE, ir.both(pick, ir.word(8)), ir.word(0));
    byte = ir.select(signs, sign, byte);
    result = ir.either(result, ir.left(ir.fit(byte, ir.i32, false), ir.word(std::uint64_t{8} * i)));
  }
  return result;
}

Value Integers::lookup(const Instruction& in) {
  if (in.operands.size() < 5 || in.operands[4].kind != Operand::Kind::Immediate) return nullptr;
  Value operands[3];
  for (unsigned i = 0; i < 3; ++i) operands[i] = read(in.operands[i + 1], Type::B32);
  Value result = ir.word(0);
  for (unsigned row = 0; row < 8; ++row) {
    if (((in.operands[4].bits >> row) & 1) == 0) continue;
    Value term = ir.word(0xffffffff);
    for (unsigned i = 0; i < 3; ++i)
      term = ir.both(term, ((row >> (2 - i)) & 1) != 0 ? operands[i] : ir.no(operands[i]));
    result = ir.either(result, term);
  }
  return result;
}

// Position or length of a field, of which 64-bit fields take all bits (ptx/src/integers.cpp).
Value Integers::field_number(const Instruction& in, std::size_t operand) {
  Value number = read(in.operands[operand], Type::U32);
  return ptx::size_of(in.types[0]) == 8 ? number : ir.both(number, ir.word(0xff));
}

Value Integers::insert(const Instruction& in) {
  const Type type = in.types[0];
  IrType whole = ir.bits_of(type);
  const unsigned bits = ptx::size_of(type) * 8;
  Value a = read(in.operands[1], type), b = read(in.operands[2], type);
  Value at = field_number(in, 3), length = field_number(in, 4);
  Value none = LLVMConstNull(whole), all = LLVMConstAllOnes(whole);
  const auto in_range = [&](Value n) { return ir.compare(LLVMIntULT, n, ir.word(bits)); };
  const auto safe = [&](Value n) { return ir.fit(ir.both(n, ir.word(bits - 1)), whole, false); };
  Value mask = ir.select(in_range(length), ir.no(ir.left(all, safe(length))), all);
  Value placed = ir.select(in_range(at), ir.left(mask, safe(at)), none);
  Value moved = ir.left(a, safe(at));
  return ir.either(ir.both(b, ir.no(placed)), ir.both(moved, placed));
}

Value Integers::highest_bit(const Instruction& in) {
  const Type type = in.types[0];
  IrType whole = ir.bits_of(type);
  Value value = read(in.operands[1], type), none = LLVMConstNull(whole);
  if (ptx::is_signed(type)) value = ir.select(ir.compare(LLVMIntSLT, value, none), ir.no(value), value);
  Value leading = ir.fit(ir.intrinsic("llvm.ctlz", {whole}, {value, LLVMConstNull(ir.i1)}), ir.i32, false);
  Value result = in.normal_only ? leading : ir.sub(ir.word(ptx::size_of(type) * 8 - 1), leading);
  return ir.select(ir.compare(LLVMIntEQ, value, none), ir.word(0xffffffff), result);
}

}  // namespace compiler

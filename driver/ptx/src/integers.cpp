// SPDX-License-Identifier: MIT
// Integer arithmetic as the PTX ISA defines it. Integers wrap; shifts clamp at the width; division by zero
// gives all ones, as the hardware does.
#include "integers.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "ptx/evaluate.hpp"

namespace ptx {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
__extension__ using i128 = __int128;

u64 multiply(const Instruction& in, Type type, u64 a, u64 b) {
  if (in.wide) {
    return is_signed(type) ? static_cast<u64>(sign_extend(type, a) * sign_extend(type, b))
                           : truncate(type, a) * truncate(type, b);
  }
  if (in.hi) {
    const unsigned bits = width(type);
    if (is_signed(type)) {
      return static_cast<u64>(
          (static_cast<i128>(sign_extend(type, a)) * static_cast<i128>(sign_extend(type, b))) >> bits);
    }
    return static_cast<u64>((static_cast<u128>(truncate(type, a)) * truncate(type, b)) >> bits);
  }
  return a * b;
}

u64 divide(Type type, u64 a, u64 b, bool remainder) {
  if (truncate(type, b) == 0) return remainder ? a : ~u64{0};
  if (is_signed(type)) {
    const i64 x = sign_extend(type, a), y = sign_extend(type, b);
    if (y == -1) return remainder ? 0 : ~static_cast<u64>(x) + 1;
    return static_cast<u64>(remainder ? x % y : x / y);
  }
  const u64 x = truncate(type, a), y = truncate(type, b);
  return remainder ? x % y : x / y;
}

u64 shift_right(Type type, u64 a, u64 amount) {
  const unsigned bits = width(type);
  amount = std::min<u64>(truncate(Type::U32, amount), bits);
  if (is_signed(type)) return static_cast<u64>(sign_extend(type, a) >> std::min<u64>(amount, bits - 1));
  return amount >= bits ? 0 : truncate(type, a) >> amount;
}

u64 shift_left(Type type, u64 a, u64 amount) {
  amount = truncate(Type::U32, amount);
  return amount >= width(type) ? 0 : a << amount;
}

// shf: the 64-bit pair b:a shifted, one half kept.
u64 funnel(const Instruction& in, u64 a, u64 b, u64 amount) {
  const u64 pair = (truncate(Type::U32, b) << 32) | truncate(Type::U32, a);
  amount = in.clamp ? std::min<u64>(truncate(Type::U32, amount), 32) : amount & 31;
  return in.left ? (amount == 0 ? pair >> 32 : (pair << amount) >> 32) : pair >> amount;
}

u64 permute(const Instruction& in, u64 a, u64 b, u64 selector) {
  const u64 bytes = (truncate(Type::U32, b) << 32) | truncate(Type::U32, a);
  const unsigned n = static_cast<unsigned>(selector) & 3;
  u64 result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    unsigned pick = 0;
    switch (in.permute) {
      case Permute::Selector:
        pick = static_cast<unsigned>(selector >> (4 * i)) & 15;
        break;
      case Permute::Forward4:
        pick = n + i;
        break;
      case Permute::Backward4:
        pick = (8 + n - i) & 7;
        break;
      case Permute::Replicate8:
        pick = n;
        break;
      case Permute::EdgeLeft:
        pick = std::max(n, i);
        break;
      case Permute::EdgeRight:
        pick = std::min(n, i);
        break;
      case Permute::Replicate16:
        pick = (n & 1) * 2 + (i & 1);
        break;
    }
    u64 byte = (bytes >> (8 * (pick & 7))) & 0xff;
    if ((pick & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// Four bytes, or two halves with two bytes, multiplied and added.
u64 dot(const Instruction& in, u64 a, u64 b, u64 c) {
  const bool two = in.opcode == Opcode::Dp2a;
  const auto part = [](Type type, u64 bits, unsigned at, unsigned size) {
    const u64 value = (bits >> at) & ((u64{1} << size) - 1);
    return is_signed(type) ? static_cast<u64>(static_cast<i64>(value << (64 - size)) >> (64 - size)) : value;
  };
  const unsigned size = two ? 16 : 8, count = two ? 2 : 4, shift = two && in.hi ? 16 : 0;
  u64 sum = c;
  for (unsigned i = 0; i < count; ++i)
    sum += part(in.types[0], a, i * size, size) * part(in.types[1], b, shift + i * 8, 8);
  return truncate(Type::U32, sum);
}

// The n-th set bit of a mask, counted from `base` up or down. The manual leaves open what a base above 31 and
// the least offset give; this is what ptxas 13.0 makes of them.
u64 find_nth_set(u64 mask, u64 base, u64 offset) {
  auto left = static_cast<std::int32_t>(offset);
  if (left == std::numeric_limits<std::int32_t>::min()) return 0;
  if (base > 31) return 0xffffffffU;
  const auto start = static_cast<int>(base);
  if (left == 0) return ((mask >> start) & 1) != 0 ? static_cast<u64>(start) : 0xffffffffU;
  const int step = left > 0 ? 1 : -1;
  for (int at = start; at >= 0 && at < 32; at += step) {
    if (((mask >> at) & 1) == 0) continue;
    left -= step;
    if (left == 0) return static_cast<u64>(at);
  }
  return 0xffffffffU;
}

u64 bit_mask(const Instruction& in, u64 from, u64 count) {
  from = truncate(Type::U32, from);
  count = truncate(Type::U32, count);
  if (!in.clamp) from &= 31, count &= 31;
  if (from > 31) return 0;
  return truncate(Type::U32, (count > 31 ? ~u64{0} : (u64{1} << count) - 1) << from);
}

u64 extend_from(const Instruction& in, Type type, u64 value, u64 bits) {
  bits = truncate(Type::U32, bits);
  if (!in.clamp) bits &= 31;
  if (bits == 0) return 0;
  if (bits > 31) return value;
  const u64 kept = value & ((u64{1} << bits) - 1);
  return is_signed(type) ? static_cast<u64>(static_cast<i64>(kept << (64 - bits)) >> (64 - bits)) : kept;
}

u64 lookup(u64 a, u64 b, u64 c, u64 table) {
  u64 result = 0;
  for (unsigned i = 0; i < 8; ++i) {
    if (((table >> i) & 1) == 0) continue;
    result |= ((i & 4) != 0 ? a : ~a) & ((i & 2) != 0 ? b : ~b) & ((i & 1) != 0 ? c : ~c);
  }
  return result;
}

// 24 bits of each, the low or the high 32 of 48.
u64 multiply24(const Instruction& in, Type type, u64 a, u64 b) {
  const auto narrow = [&](u64 value) {
    return is_signed(type) ? static_cast<u64>(static_cast<i64>(value << 40) >> 40) : value & 0xffffff;
  };
  const u64 product = narrow(a) * narrow(b);
  return in.hi ? product >> 16 : product;
}

// Position and length of a field: the manual takes the low eight bits, and an H200 does with 32 bits. With 64
// it takes all of them (measured).
u64 field_number(Type type, u64 number) {
  return number & (width(type) == 64 ? 0xffffffffU : 0xffU);
}

u64 extract(Type type, u64 a, u64 position, u64 length) {
  const unsigned bits = width(type);
  position = field_number(type, position);
  length = field_number(type, length);
  u64 result = 0;
  const u64 sign_at = std::min<u64>(position + length == 0 ? 0 : position + length - 1, bits - 1);
  const bool sign = is_signed(type) && length != 0 && ((a >> sign_at) & 1) != 0;
  for (unsigned i = 0; i < bits; ++i) {
    const u64 from = position + i;
    const u64 bit = i < length && from < bits ? (a >> from) & 1 : (sign ? 1 : 0);
    result |= bit << i;
  }
  return result;
}

u64 insert(Type type, u64 a, u64 b, u64 position, u64 length) {
  const unsigned bits = width(type);
  position = field_number(type, position);
  length = field_number(type, length);
  for (u64 i = 0; i < length && position + i < bits; ++i) {
    const u64 mask = u64{1} << (position + i);
    b = ((a >> i) & 1) != 0 ? b | mask : b & ~mask;
  }
  return b;
}

u64 highest_bit(const Instruction& in, Type type, u64 a) {
  u64 value = truncate(type, a);
  if (is_signed(type) && sign_extend(type, a) < 0) value = truncate(type, ~a);
  if (value == 0) return 0xffffffffu;
  const unsigned at = 63 - static_cast<unsigned>(std::countl_zero(value));
  return in.normal_only ? width(type) - 1 - at : at;
}

u64 reverse_bits(Type type, u64 a) {
  u64 result = 0;
  for (unsigned i = 0; i < width(type); ++i) result |= ((a >> i) & 1) << (width(type) - 1 - i);
  return result;
}

u64 with_carry(const Instruction& in, Type type, u64 a, u64 b, bool& carry) {
  const bool subtract = in.opcode == Opcode::Sub || in.opcode == Opcode::Subc;
  const bool uses = in.opcode == Opcode::Addc || in.opcode == Opcode::Subc || in.opcode == Opcode::Madc;
  const u128 x = truncate(type, a), y = truncate(type, b), in_bit = uses && carry ? 1 : 0;
  const u128 sum = subtract ? x - y - in_bit : x + y + in_bit;
  if (in.carry_out) carry = ((sum >> width(type)) & 1) != 0;
  return static_cast<u64>(sum);
}

u64 saturated_add(Type type, i64 sum) {
  const i64 most = (i64{1} << (width(type) - 1)) - 1;
  return static_cast<u64>(std::min(std::max(sum, -most - 1), most));
}

}  // namespace

u64 integer_minmax(Opcode op, Type type, u64 a, u64 b) {
  const bool less =
      is_signed(type) ? sign_extend(type, a) < sign_extend(type, b) : truncate(type, a) < truncate(type, b);
  return (op == Opcode::Min) == less ? a : b;
}

u64 integer_evaluate(const Instruction& in, Type type, u64 a, u64 b, u64 c, u64 d, bool& carry) {
  switch (in.opcode) {
    case Opcode::Add:
      if (in.saturate) return saturated_add(type, sign_extend(type, a) + sign_extend(type, b));
      return with_carry(in, type, a, b, carry);
    case Opcode::Sub:
      if (in.saturate) return saturated_add(type, sign_extend(type, a) - sign_extend(type, b));
      return with_carry(in, type, a, b, carry);
    case Opcode::Addc:
    case Opcode::Subc:
      return with_carry(in, type, a, b, carry);
    case Opcode::Mul:
      return multiply(in, type, a, b);
    case Opcode::Mad:
      if (in.saturate)
        return saturated_add(type, sign_extend(type, multiply(in, type, a, b)) + sign_extend(type, c));
      if (in.carry_out) return with_carry(in, type, multiply(in, type, a, b), c, carry);
      return multiply(in, type, a, b) + c;
    case Opcode::Madc:
      return with_carry(in, type, multiply(in, type, a, b), c, carry);
    case Opcode::Div:
      return divide(type, a, b, false);
    case Opcode::Rem:
      return divide(type, a, b, true);
    case Opcode::Min:
    case Opcode::Max:
      return integer_minmax(in.opcode, type, a, b);
    case Opcode::Neg:
      return ~a + 1;
    case Opcode::Abs:
      return sign_extend(type, a) < 0 ? ~a + 1 : a;
    case Opcode::Not:
      return ~a;
    case Opcode::Cnot:
      return truncate(type, a) == 0 ? 1 : 0;
    case Opcode::And:
      return a & b;
    case Opcode::Or:
      return a | b;
    case Opcode::Xor:
      return a ^ b;
    case Opcode::Shl:
      return shift_left(type, a, b);
    case Opcode::Shr:
      return shift_right(type, a, b);
    case Opcode::Shf:
      return funnel(in, a, b, c);
    case Opcode::Prmt:
      return permute(in, a, b, c);
    case Opcode::Lop3:
      return lookup(a, b, c, d);
    case Opcode::Dp4a:
    case Opcode::Dp2a:
      return dot(in, a, b, c);
    case Opcode::Fns:
      return find_nth_set(truncate(Type::U32, a), truncate(Type::U32, b), truncate(Type::U32, c));
    case Opcode::Bmsk:
      return bit_mask(in, a, b);
    case Opcode::Szext:
      return extend_from(in, type, a, b);
    case Opcode::Mul24:
      return multiply24(in, type, a, b);
    case Opcode::Mad24:
      if (in.saturate)
        return saturated_add(type, sign_extend(type, multiply24(in, type, a, b)) + sign_extend(type, c));
      return multiply24(in, type, a, b) + c;
    case Opcode::Popc:
      return static_cast<u64>(std::popcount(truncate(type, a)));
    case Opcode::Clz:
      return static_cast<u64>(std::countl_zero(truncate(type, a))) - (64 - width(type));
    case Opcode::Brev:
      return reverse_bits(type, a);
    case Opcode::Bfe:
      return extract(type, a, b, c);
    case Opcode::Bfi:
      return insert(type, a, b, c, d);
    case Opcode::Bfind:
      return highest_bit(in, type, a);
    case Opcode::Sad: {
      const bool less = compare(Compare::Lt, type, a, b);
      return c + (less ? b - a : a - b);
    }
    default:
      return a;
  }
}

}  // namespace ptx

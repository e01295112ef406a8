// Arithmetic as the PTX ISA defines it. Integers wrap; shifts clamp at the width; division by zero gives all
// ones, as the hardware does; min and max prefer the number over NaN; .ftz flushes subnormals to signed zero.
#include "evaluate.hpp"

#include "formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace ptx {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
__extension__ using i128 = __int128;

unsigned width(Type type) {
  return size_of(type) * 8;
}

template <class Float>
struct BitsOf;
template <>
struct BitsOf<float> {
  using type = std::uint32_t;
};
template <>
struct BitsOf<double> {
  using type = std::uint64_t;
};

template <class Float>
Float from_bits(u64 bits) {
  return std::bit_cast<Float>(static_cast<typename BitsOf<Float>::type>(bits));
}
template <class Float>
u64 to_bits(Float value) {
  return std::bit_cast<typename BitsOf<Float>::type>(value);
}

template <class Float>
Float flushed(Float value, bool flush) {
  return flush && std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(Float{0}, value) : value;
}

template <class Float>
Float saturated(Float value) {
  if (std::isnan(value)) return Float{0};
  return std::min(std::max(value, Float{0}), Float{1});
}

template <class Float>
Float float_result(Opcode op, Float a, Float b, Float c) {
  switch (op) {
    case Opcode::Add:
      return a + b;
    case Opcode::Sub:
      return a - b;
    case Opcode::Mul:
      return a * b;
    case Opcode::Div:
      return a / b;
    case Opcode::Fma:
    case Opcode::Mad:
      return std::fma(a, b, c);
    case Opcode::Min:
      return a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b);
    case Opcode::Max:
      return a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b);
    case Opcode::Neg:
      return -a;
    case Opcode::Abs:
      return std::fabs(a);
    case Opcode::Copysign:
      return std::copysign(b, a);  // PTX: magnitude of b, sign of a
    case Opcode::Sqrt:
      return std::sqrt(a);
    case Opcode::Rsqrt:
      return Float{1} / std::sqrt(a);
    case Opcode::Rcp:
      return Float{1} / a;
    case Opcode::Ex2:
      return std::exp2(a);
    case Opcode::Lg2:
      return std::log2(a);
    case Opcode::Sin:
      return std::sin(a);
    case Opcode::Cos:
      return std::cos(a);
    case Opcode::Tanh:
      return std::tanh(a);
    default:
      return a;
  }
}

// min and max with .NaN and .xorsign.abs; everything else as float_result.
template <class Float>
Float float_operation(const Instruction& in, Float a, Float b, Float c) {
  const bool extreme = in.opcode == Opcode::Min || in.opcode == Opcode::Max;
  if (extreme && in.keep_nan && (std::isnan(a) || std::isnan(b)))
    return std::numeric_limits<Float>::quiet_NaN();
  if (extreme && in.xor_sign) {
    const Float result = float_result<Float>(in.opcode, std::fabs(a), std::fabs(b), c);
    return std::signbit(a) != std::signbit(b) ? -result : result;
  }
  return float_result<Float>(in.opcode, a, b, c);
}

template <class Float>
Float relu(const Instruction& in, Float value) {
  return in.relu && !(value > 0) ? Float{0} : value;
}

template <class Float>
u64 float_evaluate(const Instruction& in, u64 a, u64 b, u64 c) {
  const RoundingScope scope(in.rounding);
  const Float result = relu(in, float_operation<Float>(in, flushed(from_bits<Float>(a), in.flush),
                                                       flushed(from_bits<Float>(b), in.flush),
                                                       flushed(from_bits<Float>(c), in.flush)));
  const Float kept = flushed(result, in.flush);
  return to_bits<Float>(in.saturate ? saturated(kept) : kept);
}

// One half or bfloat16: computed in double so that it is rounded once.
u64 small_evaluate(const Instruction& in, Type type, u64 a, u64 b, u64 c) {
  const double x = decode(type, a), y = decode(type, b), z = decode(type, c);
  double result = 0;
  if (in.opcode == Opcode::Add)
    result = add_odd(x, y);
  else if (in.opcode == Opcode::Sub)
    result = add_odd(x, -y);
  else if (in.opcode == Opcode::Fma)
    result = add_odd(x * y, z);
  else
    result = float_operation<double>(in, x, y, z);
  result = relu(in, result);
  return encode(type, in.saturate ? saturated(result) : result, Rounding::Nearest);
}

u64 half_evaluate(const Instruction& in, u64 a, u64 b, u64 c) {
  const Type type = in.types[0];
  if (type == Type::F16 || type == Type::Bf16) return small_evaluate(in, type, a, b, c);
  const Type each = type == Type::F16x2 ? Type::F16 : Type::Bf16;
  const auto half = [](u64 bits, unsigned which) { return (bits >> (16 * which)) & 0xffff; };
  return small_evaluate(in, each, half(a, 0), half(b, 0), half(c, 0)) |
         (small_evaluate(in, each, half(a, 1), half(b, 1), half(c, 1)) << 16);
}

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

// The n-th set bit of a mask, counted from `base` up or down.
u64 find_nth_set(u64 mask, u64 base, u64 offset) {
  const auto start = static_cast<int>(base & 31);
  auto left = static_cast<std::int32_t>(offset);
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

u64 extract(Type type, u64 a, u64 position, u64 length) {
  const unsigned bits = width(type);
  position &= 0xff;
  length &= 0xff;
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
  position &= 0xff;
  length &= 0xff;
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

u64 integer_minmax(Opcode op, Type type, u64 a, u64 b) {
  const bool less =
      is_signed(type) ? sign_extend(type, a) < sign_extend(type, b) : truncate(type, a) < truncate(type, b);
  return (op == Opcode::Min) == less ? a : b;
}

u64 saturated_add(Type type, i64 sum) {
  const i64 most = (i64{1} << (width(type) - 1)) - 1;
  return static_cast<u64>(std::min(std::max(sum, -most - 1), most));
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
      return find_nth_set(truncate(Type::U32, a), b, truncate(Type::U32, c));
    case Opcode::Bmsk:
      return bit_mask(in, a, b);
    case Opcode::Szext:
      return extend_from(in, type, a, b);
    case Opcode::Mul24:
      return multiply24(in, type, a, b);
    case Opcode::Mad24:
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

template <class Float>
Float round_integral(Float value, Rounding how) {
  switch (how) {
    case Rounding::Zero:
      return std::trunc(value);
    case Rounding::Down:
      return std::floor(value);
    case Rounding::Up:
      return std::ceil(value);
    default:
      return std::nearbyint(value);
  }
}

// Out of range clamps; NaN becomes 0 (PTX ISA, cvt).
u64 float_to_integer(Type to, double value) {
  if (std::isnan(value)) return 0;
  const unsigned bits = width(to);
  if (is_signed(to)) {
    const double most = std::ldexp(1.0, static_cast<int>(bits) - 1);
    if (value >= most) return (u64{1} << (bits - 1)) - 1;
    if (value < -most) return u64{1} << (bits - 1);
    return static_cast<u64>(static_cast<i64>(value));
  }
  if (value <= 0) return 0;
  if (value >= std::ldexp(1.0, static_cast<int>(bits))) return bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
  return static_cast<u64>(value);
}

u64 narrow(const Instruction& in, Type to, Type from, u64 value) {
  const i64 wide = is_signed(from) ? sign_extend(from, value) : static_cast<i64>(truncate(from, value));
  if (!in.saturate || width(to) == 64) return static_cast<u64>(wide);
  const i64 most = is_signed(to) ? (i64{1} << (width(to) - 1)) - 1 : (i64{1} << width(to)) - 1;
  const i64 least = is_signed(to) ? -most - 1 : 0;
  return static_cast<u64>(std::min(std::max(wide, least), most));
}

template <class Float>
bool compare_float(Compare how, Float a, Float b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  switch (how) {
    case Compare::Eq:
      return a == b;
    case Compare::Ne:
      return !unordered && a != b;
    case Compare::Lt:
      return a < b;
    case Compare::Le:
      return a <= b;
    case Compare::Gt:
      return a > b;
    case Compare::Ge:
      return a >= b;
    case Compare::Equ:
      return unordered || a == b;
    case Compare::Neu:
      return unordered || a != b;
    case Compare::Ltu:
      return unordered || a < b;
    case Compare::Leu:
      return unordered || a <= b;
    case Compare::Gtu:
      return unordered || a > b;
    case Compare::Geu:
      return unordered || a >= b;
    case Compare::Num:
      return !unordered;
    case Compare::Nan:
      return unordered;
  }
  return false;
}

}  // namespace

u64 truncate(Type type, u64 bits) {
  const unsigned w = width(type);
  if (type == Type::Pred) return bits & 1;
  return w >= 64 || w == 0 ? bits : bits & ((u64{1} << w) - 1);
}

i64 sign_extend(Type type, u64 bits) {
  const unsigned w = width(type);
  if (w >= 64 || w == 0) return static_cast<i64>(bits);
  return static_cast<i64>(bits << (64 - w)) >> (64 - w);
}

u64 evaluate(const Instruction& in, u64 a, u64 b, u64 c, u64 d, bool& carry) {
  const Type type = in.types[0];
  // bfind and popc name the source type last and write 32 bits; the others compute in their one type.
  if (type == Type::F32) return float_evaluate<float>(in, a, b, c);
  if (type == Type::F64) return float_evaluate<double>(in, a, b, c);
  if (is_float(type)) return half_evaluate(in, a, b, c);
  const u64 result = integer_evaluate(in, type, a, b, c, d, carry);
  const bool counts = in.opcode == Opcode::Popc || in.opcode == Opcode::Clz || in.opcode == Opcode::Bfind;
  if (in.wide || counts) return result;
  return truncate(type, result);
}

u64 convert(const Instruction& in, u64 value) {
  const Type to = in.types[0], from = in.types.size() > 1 ? in.types[1] : in.types[0];
  if (!is_float(from)) {
    if (!is_float(to)) return truncate(to, narrow(in, to, from, value));
    const RoundingScope scope(in.rounding);
    if (to == Type::F16 || to == Type::Bf16) {
      const u64 bits = is_signed(from) ? static_cast<u64>(sign_extend(from, value)) : truncate(from, value);
      const bool negative = is_signed(from) && static_cast<i64>(bits) < 0;
      const u64 magnitude = negative ? ~bits + 1 : bits;
      const double whole = add_odd(static_cast<double>(magnitude >> 32) * 4294967296.0,
                                   static_cast<double>(magnitude & 0xffffffffU));
      return encode(to, negative ? -whole : whole, in.rounding);
    }
    if (is_signed(from)) {
      const i64 wide = sign_extend(from, value);
      return to == Type::F32 ? to_bits(static_cast<float>(wide)) : to_bits(static_cast<double>(wide));
    }
    const u64 wide = truncate(from, value);
    return to == Type::F32 ? to_bits(static_cast<float>(wide)) : to_bits(static_cast<double>(wide));
  }
  double number = from == Type::F32 ? static_cast<double>(flushed(from_bits<float>(value), in.flush))
                                    : decode(from, value);
  if (in.to_integral || !is_float(to)) {
    number = round_integral(number, in.to_integral ? in.rounding : Rounding::Zero);
  }
  if (!is_float(to)) return truncate(to, float_to_integer(to, number));
  if (in.saturate) number = saturated(number);
  number = relu(in, number);
  if (to != Type::F32) return encode(to, number, in.to_integral ? Rounding::Nearest : in.rounding);
  const u64 bits = encode(to, number, in.to_integral ? Rounding::Nearest : in.rounding);
  return to_bits(flushed(from_bits<float>(bits), in.flush));
}

bool compare(Compare how, Type type, u64 a, u64 b) {
  if (type == Type::F32) return compare_float(how, from_bits<float>(a), from_bits<float>(b));
  if (type == Type::F64) return compare_float(how, from_bits<double>(a), from_bits<double>(b));
  if (type == Type::F16 || type == Type::Bf16) return compare_float(how, decode(type, a), decode(type, b));
  const bool equal = truncate(type, a) == truncate(type, b);
  const bool less =
      is_signed(type) ? sign_extend(type, a) < sign_extend(type, b) : truncate(type, a) < truncate(type, b);
  switch (how) {
    case Compare::Eq:
    case Compare::Equ:
      return equal;
    case Compare::Ne:
    case Compare::Neu:
      return !equal;
    case Compare::Lt:
    case Compare::Ltu:
      return less;
    case Compare::Le:
    case Compare::Leu:
      return less || equal;
    case Compare::Gt:
    case Compare::Gtu:
      return !less && !equal;
    case Compare::Ge:
    case Compare::Geu:
      return !less;
    case Compare::Num:
      return true;
    case Compare::Nan:
      return false;
  }
  return false;
}

u64 atomic(AtomicOp op, Type type, u64 old, u64 value, u64 swap) {
  switch (op) {
    case AtomicOp::Add:
      if (type == Type::F32) return to_bits(from_bits<float>(old) + from_bits<float>(value));
      if (type == Type::F64) return to_bits(from_bits<double>(old) + from_bits<double>(value));
      if (is_float(type)) {
        Instruction sum;
        sum.opcode = Opcode::Add;
        sum.types = {type};
        return half_evaluate(sum, old, value, 0);
      }
      return old + value;
    case AtomicOp::Min:
      return integer_minmax(Opcode::Min, type, old, value);
    case AtomicOp::Max:
      return integer_minmax(Opcode::Max, type, old, value);
    case AtomicOp::And:
      return old & value;
    case AtomicOp::Or:
      return old | value;
    case AtomicOp::Xor:
      return old ^ value;
    case AtomicOp::Exch:
      return value;
    case AtomicOp::Cas:
      return truncate(type, old) == truncate(type, value) ? swap : old;
    case AtomicOp::Inc:
      return truncate(type, old) >= truncate(type, value) ? 0 : old + 1;
    case AtomicOp::Dec:
      return truncate(type, old) == 0 || truncate(type, old) > truncate(type, value) ? value : old - 1;
  }
  return old;
}

}  // namespace ptx

// SPDX-License-Identifier: MIT
// Arithmetic as the PTX ISA defines it: floats, conversions, comparisons, atomic operations. min and max
// prefer the number over NaN; .ftz flushes subnormals to signed zero.
#include "ptx/evaluate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "formats.hpp"
#include "integers.hpp"

namespace ptx {
namespace {

using u64 = std::uint64_t;
using i64 = std::int64_t;
__extension__ using i128 = __int128;

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

// The number rather than a NaN, which the C library does for quiet ones only.
template <class Float>
Float extreme(Float a, Float b, bool first) {
  if (std::isnan(a)) return b;
  return std::isnan(b) || first ? a : b;
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
      return extreme(a, b, a == b ? std::signbit(a) : a < b);
    case Opcode::Max:
      return extreme(a, b, a == b ? !std::signbit(a) : a > b);
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

// min and max with .NaN and .xorsign.abs, whose sign is both operands' even when one is NaN; everything else
// as float_result.
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
  return in.relu && value <= 0 ? Float{0} : value;  // NaN stays
}

// rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 look at the upper 32 bits only, so that some NaNs are
// infinities, and give no more.
bool is_upper_half_only(const Instruction& in) {
  return (in.opcode == Opcode::Rcp || in.opcode == Opcode::Rsqrt) && in.types[0] == Type::F64 &&
         in.approximate && in.flush;
}

u64 upper_half(const Instruction& in, u64 a) {
  constexpr u64 kUpper = ~u64{0} << 32;
  const double x = flushed(from_bits<double>(a & kUpper), true);
  const double exact = in.opcode == Opcode::Rcp ? 1 / x : 1 / std::sqrt(x);
  const u64 bits = to_bits(flushed(exact, true));
  if (!std::isfinite(exact)) return std::isnan(exact) ? 0x7ff8000000000000 : bits;
  return (bits + (u64{1} << 31)) & kUpper;  // to nearest
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
  if (in.flush) a = flush(type, a), b = flush(type, b), c = flush(type, c);
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
  const u64 bits = encode(type, in.saturate ? saturated(result) : result, Rounding::Nearest);
  return in.flush ? flush(type, bits) : bits;
}

u64 half_evaluate(const Instruction& in, u64 a, u64 b, u64 c) {
  const Type type = in.types[0];
  if (type == Type::F16 || type == Type::Bf16) return small_evaluate(in, type, a, b, c);
  const Type each = type == Type::F16x2 ? Type::F16 : Type::Bf16;
  const auto half = [](u64 bits, unsigned which) { return (bits >> (16 * which)) & 0xffff; };
  return small_evaluate(in, each, half(a, 0), half(b, 0), half(c, 0)) |
         (small_evaluate(in, each, half(a, 1), half(b, 1), half(c, 1)) << 16);
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

// Out of range clamps; NaN becomes 0, or where either has 64 bits only the highest bit (PTX ISA 9.0, cvt).
u64 float_to_integer(Type to, Type from, double value) {
  const unsigned bits = width(to);
  if (std::isnan(value)) return from == Type::F64 || bits == 64 ? u64{1} << (bits - 1) : 0;
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
  const i128 wide =
      is_signed(from) ? i128{sign_extend(from, value)} : static_cast<i128>(truncate(from, value));
  if (!in.saturate) return static_cast<u64>(wide);
  const i128 most = (i128{1} << (width(to) - (is_signed(to) ? 1 : 0))) - 1;
  const i128 least = is_signed(to) ? -most - 1 : 0;
  return static_cast<u64>(std::min(std::max(wide, least), most));
}

// A register wider than the type of the result has its sign repeated, or zeros.
u64 in_wide_register(Type to, u64 value) {
  return is_signed(to) ? static_cast<u64>(sign_extend(to, value)) : truncate(to, value);
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
  if (is_upper_half_only(in)) return upper_half(in, a);
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
    if (!is_float(to)) return in_wide_register(to, narrow(in, to, from, value));
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
  // .ftz does not flush what becomes a half (measured), which only shows where it is rounded away from zero.
  const bool flushes = in.flush && to != Type::F16;
  double number = from == Type::F32 ? static_cast<double>(flushed(from_bits<float>(value), flushes))
                                    : decode(from, value);
  if (in.to_integral || !is_float(to)) {
    number = round_integral(number, in.to_integral ? in.rounding : Rounding::Zero);
  }
  if (!is_float(to)) return in_wide_register(to, float_to_integer(to, from, number));
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

// SPDX-License-Identifier: MIT
// See formats.hpp. A double holds every number of half and bfloat16, so each is computed as a double and
// rounded once.
#include "formats.hpp"

#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace ptx {
namespace {

struct Format {
  int digits, least_exponent, greatest_exponent;  // digits with the leading one
  unsigned fraction, exponent_bits;
};

Format format_of(Type type) {
  if (type == Type::F16) return {11, -14, 15, 10, 5};
  if (type == Type::Bf16) return {8, -126, 127, 7, 8};
  return {24, -126, 127, 23, 8};
}

double round_whole(double value, Rounding how) {
  switch (how) {
    case Rounding::Zero:
      return std::trunc(value);
    case Rounding::Down:
      return std::floor(value);
    case Rounding::Up:
      return std::ceil(value);
    default: {  // to nearest, ties to even, whatever the processor is set to
      const double below = std::floor(value), rest = value - below;
      if (rest != 0.5) return rest < 0.5 ? below : below + 1;
      return std::fmod(below, 2) == 0 ? below : below + 1;
    }
  }
}

}  // namespace

double decode(Type type, std::uint64_t bits) {
  if (type == Type::F64) return std::bit_cast<double>(bits);
  if (type == Type::F32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
  if (type == Type::Bf16)
    return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(bits << 16)));
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const auto exponent = static_cast<int>((bits >> 10) & 31);
  const auto fraction = static_cast<double>(bits & 1023);
  if (exponent == 31)
    return std::copysign(
        fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : std::numeric_limits<double>::infinity(),
        sign);
  return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(fraction + 1024, exponent - 25);
}

std::uint64_t encode(Type type, double value, Rounding how) {
  if (type == Type::F64) return std::bit_cast<std::uint64_t>(value);
  const Format format = format_of(type);
  const std::uint64_t sign =
      std::signbit(value) ? std::uint64_t{1} << (format.fraction + format.exponent_bits) : 0;
  const std::uint64_t infinity = ((std::uint64_t{1} << format.exponent_bits) - 1) << format.fraction;
  if (std::isnan(value)) return infinity | ((std::uint64_t{1} << format.fraction) - 1);
  if (std::isinf(value)) return sign | infinity;
  if (value == 0) return sign;
  int exponent = 0;
  std::frexp(value, &exponent);
  --exponent;  // of the leading one
  const int quantum = std::max(exponent, format.least_exponent) - (format.digits - 1);
  const double rounded = std::ldexp(round_whole(std::ldexp(value, -quantum), how), quantum);
  const double magnitude = std::fabs(rounded);
  if (magnitude == 0) return sign;
  const double greatest = std::ldexp(2 - std::ldexp(1, 1 - format.digits), format.greatest_exponent);
  if (magnitude > greatest) {
    const bool stays =
        how == Rounding::Zero || (how == Rounding::Down && sign == 0) || (how == Rounding::Up && sign != 0);
    return sign | (stays ? infinity - 1 : infinity);
  }
  std::frexp(magnitude, &exponent);
  --exponent;
  if (exponent < format.least_exponent) {
    return sign |
           static_cast<std::uint64_t>(std::ldexp(magnitude, format.digits - 1 - format.least_exponent));
  }
  const double fraction = std::ldexp(magnitude, format.digits - 1 - exponent);
  const int above_least = exponent - format.least_exponent;
  const std::uint64_t biased = static_cast<std::uint64_t>(above_least) + 1;
  return sign | (biased << format.fraction) |
         (static_cast<std::uint64_t>(fraction) & ((std::uint64_t{1} << format.fraction) - 1));
}

std::uint64_t flush(Type type, std::uint64_t bits) {
  const unsigned size = size_of(type) * 8;
  const unsigned fraction = type == Type::F64 ? 52 : format_of(type).fraction;
  const std::uint64_t sign = std::uint64_t{1} << (size - 1);
  const std::uint64_t exponent = (sign - 1) >> fraction << fraction;
  return (bits & exponent) == 0 ? bits & sign : bits;
}

double add_odd(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) return sum;
  const double other = sum - a;
  const double lost = (a - (sum - other)) + (b - other);
  if (lost == 0 || (std::bit_cast<std::uint64_t>(sum) & 1) != 0) return sum;
  return std::nextafter(
      sum, lost > 0 ? std::numeric_limits<double>::infinity() : -std::numeric_limits<double>::infinity());
}

RoundingScope::RoundingScope(Rounding how) : before_(std::fegetround()) {
  const int modes[] = {FE_TONEAREST, FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  std::fesetround(modes[static_cast<unsigned>(how)]);
}

RoundingScope::~RoundingScope() {
  std::fesetround(before_);
}

}  // namespace ptx

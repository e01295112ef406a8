// SPDX-License-Identifier: MIT
// Formats: how bits represent numbers.
#include "numbers.hpp"

#include <algorithm>
#include <cmath>

namespace ptx_random {

namespace {

u64 exponent_mask(Kind kind) {
  const Format format = format_of(kind);
  const u64 most = static_cast<u64>(format.greatest_exponent) * 2 + 1;
  return most << (format.precision - 1);
}

u64 fraction_mask(Kind kind) {
  return (u64{1} << (format_of(kind).precision - 1)) - 1;
}

// [0, 1]; NaN becomes zero, and nothing says which zero.
Expected saturated(Kind kind, u64 bits) {
  if (is_nan(kind, bits) || (bits & sign_of(kind)) != 0 || bits == 0) return of_form(Expected::Form::Zero);
  const u64 one = static_cast<u64>(format_of(kind).greatest_exponent) << (format_of(kind).precision - 1);
  return exactly(std::min(bits, one));
}

}  // namespace

Format format_of(Kind kind) {
  switch (kind) {
    case Kind::F16:
      return {11, -14, 15};
    case Kind::Bf16:
      return {8, -126, 127};
    case Kind::F32:
      return {24, -126, 127};
    default:
      return {53, -1022, 1023};
  }
}

u64 sign_of(Kind kind) {
  return u64{1} << (width_of(kind) - 1);
}

bool is_nan(Kind kind, u64 bits) {
  return (bits & exponent_mask(kind)) == exponent_mask(kind) && (bits & fraction_mask(kind)) != 0;
}

bool is_subnormal(Kind kind, u64 bits) {
  return (bits & exponent_mask(kind)) == 0 && (bits & fraction_mask(kind)) != 0;
}

u64 without_subnormal(Kind kind, u64 bits) {
  return is_subnormal(kind, bits) ? bits & sign_of(kind) : bits;
}

void decode(Kind kind, u64 bits, Number& number) {
  const Format format = format_of(kind);
  const u64 fraction = bits & fraction_mask(kind);
  const u64 exponent = (bits & exponent_mask(kind)) >> (format.precision - 1);
  const bool negative = (bits & sign_of(kind)) != 0;
  mpfr_set_prec(number.get(), 64);
  if (is_nan(kind, bits)) return mpfr_set_nan(number.get());
  if ((bits & exponent_mask(kind)) == exponent_mask(kind))
    return mpfr_set_inf(number.get(), negative ? -1 : 1);
  if (exponent == 0 && fraction == 0) return mpfr_set_zero(number.get(), negative ? -1 : 1);
  const u64 digits = exponent == 0 ? fraction : fraction | (u64{1} << (format.precision - 1));
  const long scale =
      format.least_exponent - (format.precision - 1) + (exponent == 0 ? 0 : static_cast<long>(exponent) - 1);
  mpfr_set_ui_2exp(number.get(), digits, scale, MPFR_RNDN);
  if (negative) mpfr_neg(number.get(), number.get(), MPFR_RNDN);
}

long double value_of(Kind kind, u64 bits) {
  Number number;
  decode(kind, bits, number);
  return mpfr_get_ld(number.get(), MPFR_RNDN);
}

u64 encode(Kind kind, Number& number, int ternary, mpfr_rnd_t rounding) {
  const Format format = format_of(kind);
  const mpfr_exp_t least = mpfr_get_emin(), greatest = mpfr_get_emax();
  // MPFR's numbers are 0.1x, so its exponents are greater by one.
  mpfr_set_emin(format.least_exponent - format.precision + 2);
  mpfr_set_emax(format.greatest_exponent + 1);
  ternary = mpfr_check_range(number.get(), ternary, rounding);
  (void)mpfr_subnormalize(number.get(), ternary, rounding);
  mpfr_set_emin(least);
  mpfr_set_emax(greatest);
  if (mpfr_nan_p(number.get()) != 0) return exponent_mask(kind) | fraction_mask(kind);
  const u64 sign = mpfr_signbit(number.get()) != 0 ? sign_of(kind) : 0;
  if (mpfr_inf_p(number.get()) != 0) return sign | exponent_mask(kind);
  if (mpfr_zero_p(number.get()) != 0) return sign;
  const long double magnitude = std::fabs(mpfr_get_ld(number.get(), MPFR_RNDN));
  const int exponent = std::max(std::ilogb(magnitude), format.least_exponent);
  const auto digits = static_cast<u64>(std::ldexp(magnitude, format.precision - 1 - exponent));
  // The leading one of a normal number carries into the exponent.
  return sign | ((static_cast<u64>(exponent - format.least_exponent) << (format.precision - 1)) + digits);
}

Expected finished(Kind kind, const Modifiers& modifiers, Number& result, int ternary) {
  // Whether a result is subnormal is asked before it is rounded or afterwards.
  const bool tiny =
      mpfr_regular_p(result.get()) != 0 && mpfr_get_exp(result.get()) <= format_of(kind).least_exponent;
  u64 bits = encode(kind, result, ternary, modifiers.rounding);
  const u64 zero = bits & sign_of(kind);
  if (modifiers.flush && is_subnormal(kind, bits)) bits = zero;
  if (is_nan(kind, bits) && !modifiers.saturate) return of_form(Expected::Form::Nan);
  if (modifiers.saturate) {
    Expected expected = saturated(kind, bits);
    if (modifiers.flush && tiny && expected.form == Expected::Form::Exact) {
      expected.form = Expected::Form::Either;
      expected.other = zero;
    }
    return expected;
  }
  if (modifiers.relu && ((bits & sign_of(kind)) != 0 || bits == 0)) return of_form(Expected::Form::Zero);
  Expected expected = exactly(bits);
  if (modifiers.flush && tiny) {
    expected.form = Expected::Form::Either;
    expected.other = zero;
  }
  return expected;
}

}  // namespace ptx_random

// SPDX-License-Identifier: MIT
// Functions of angles, for double: sine to arc cosine, for any argument. By the rules of math_double.h.
#pragma once
#include "math_double.h"

// x = quadrant times pi/2 plus part, |part| <= pi/4; for 2^30 <= |x| by as many bits of 2/pi as it takes.
__PTXCC_BIG_DEVICE__ int __ptxcc_reduce_large(double x, __ptxcc_dd* part) {
  const int exponent = static_cast<int>((__ptxcc_bits(x) >> 52) & 0x7ff) - 1075;
  const __ptxcc_u64 mantissa = (__ptxcc_bits(x) & 0xfffffffffffffull) | 1ull << 52;
  // Bits in front of this one yield multiples of four quadrants.
  const int first = exponent - 2 + 64;
  const int word = first >> 6, shift = first & 63;
  __ptxcc_u64 product[4];
  __ptxcc_u64 carry = 0;
  for (int i = 3; i >= 0; --i) {
    __ptxcc_u64 bits = __ptxcc_two_over_pi_bits[word + i] << shift;
    if (shift != 0) bits |= __ptxcc_two_over_pi_bits[word + i + 1] >> (64 - shift);
    const unsigned __int128 p = static_cast<unsigned __int128>(bits) * mantissa + carry;
    product[i] = static_cast<__ptxcc_u64>(p);
    carry = static_cast<__ptxcc_u64>(p >> 64);
  }
  int quadrant = static_cast<int>(product[0] >> 62);
  __ptxcc_u64 hi = product[0] << 2 | product[1] >> 62, lo = product[1] << 2 | product[2] >> 62;
  __ptxcc_u64 rest = product[2] << 2 | product[3] >> 62;
  const bool above = (hi >> 63) != 0;
  if (above) {  // nearer to the next quadrant
    ++quadrant;
    hi = ~hi;
    lo = ~lo;
    rest = ~rest;
  }
  int zeros = 0;
  while (hi == 0 && zeros < 128) {
    hi = lo;
    lo = rest;
    rest = 0;
    zeros += 64;
  }
  const int lead = hi == 0 ? 0 : __builtin_clzll(hi);
  if (lead != 0) {
    hi = hi << lead | lo >> (64 - lead);
    lo = lo << lead | rest >> (64 - lead);
  }
  zeros += lead;
  __ptxcc_dd fraction = {__ptxcc_mul(static_cast<double>(hi >> 11), 0x1p-53),
                         __ptxcc_mul(static_cast<double>((hi & 0x7ff) << 42 | lo >> 22), 0x1p-106)};
  const double scale = __ptxcc_sign_of(__ptxcc_power_of_2(-zeros), above ? -x : x);
  fraction = __ptxcc_product(fraction, {__ptxcc_half_pi_1, __ptxcc_half_pi_2});
  *part = {__ptxcc_mul(fraction.hi, scale), __ptxcc_mul(fraction.lo, scale)};
  return x < 0 ? -quadrant : quadrant;
}
__PTXCC_DEVICE__ int __ptxcc_reduce(double x, __ptxcc_dd* part) {
  if (__ptxcc_abs(x) >= 0x1p30) return __ptxcc_reduce_large(x, part);
  const double k = __ptxcc_nearest(__ptxcc_mul(x, __ptxcc_two_over_pi_1));
  const __ptxcc_dd p1 = __ptxcc_product(-k, __ptxcc_half_pi_1), p2 = __ptxcc_product(-k, __ptxcc_half_pi_2);
  __ptxcc_dd rest = __ptxcc_sum(__ptxcc_sum(x, p1.hi), {p1.lo, 0});
  rest = __ptxcc_sum(rest, p2);
  *part = __ptxcc_sum(rest, {__ptxcc_mul(-k, __ptxcc_half_pi_3), 0});
  return static_cast<int>(static_cast<__ptxcc_i64>(k) & 3);
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_sin_part(__ptxcc_dd r) {
  constexpr double c[] = {-1 / 121645100408832000.0,
                          1 / 355687428096000.0,
                          -1 / 1307674368000.0,
                          1 / 6227020800.0,
                          -1 / 39916800.0,
                          1 / 362880.0,
                          -1 / 5040.0,
                          1 / 120.0,
                          -1 / 6.0};
  const double z = __ptxcc_mul(r.hi, r.hi);
  const double rest =
      __ptxcc_fma(__ptxcc_mul(z, r.hi), __ptxcc_polynomial(z, c), __ptxcc_mul(r.lo, __ptxcc_fma(z, -0.5, 1)));
  return __ptxcc_quick_sum(r.hi, rest);
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_cos_part(__ptxcc_dd r) {
  constexpr double c[] = {1 / 2432902008176640000.0,
                          -1 / 6402373705728000.0,
                          1 / 20922789888000.0,
                          -1 / 87178291200.0,
                          1 / 479001600.0,
                          -1 / 3628800.0,
                          1 / 40320.0,
                          -1 / 720.0,
                          1 / 24.0};
  const __ptxcc_dd half = __ptxcc_product(r.hi, -0.5 * r.hi);
  const double z = __ptxcc_mul(r.hi, r.hi);
  const __ptxcc_dd sum = __ptxcc_quick_sum(1, half.hi);
  const double rest =
      __ptxcc_fma(__ptxcc_mul(z, z), __ptxcc_polynomial(z, c), __ptxcc_fma(-r.hi, r.lo, half.lo));
  return __ptxcc_quick_sum(sum.hi, __ptxcc_add(sum.lo, rest));
}
// Sine and cosine of the reduced argument turned by quadrants.
__PTXCC_DEVICE__ void __ptxcc_turn(__ptxcc_dd part, int quadrant, __ptxcc_dd* sine, __ptxcc_dd* cosine) {
  const __ptxcc_dd s = __ptxcc_sin_part(part), c = __ptxcc_cos_part(part);
  *sine = (quadrant & 1) != 0 ? c : s;
  *cosine = (quadrant & 1) != 0 ? s : c;
  if ((quadrant & 2) != 0) *sine = __ptxcc_negative(*sine);
  if (((quadrant + 1) & 2) != 0) *cosine = __ptxcc_negative(*cosine);
}
__PTXCC_DEVICE__ void __ptxcc_sincos(double x, double* sine, double* cosine) {
  if (!(__ptxcc_abs(x) < __ptxcc_inf())) {
    *sine = *cosine = __ptxcc_nan();
    return;
  }
  __ptxcc_dd part, s, c;
  const int quadrant = __ptxcc_reduce(x, &part);
  __ptxcc_turn(part, quadrant, &s, &c);
  *sine = __ptxcc_abs(x) < 0x1p-27 ? x : s.hi;
  *cosine = c.hi;
}
__PTXCC_DEVICE__ double __ptxcc_sin(double x) {
  double sine, cosine;
  __ptxcc_sincos(x, &sine, &cosine);
  return sine;
}
__PTXCC_DEVICE__ double __ptxcc_cos(double x) {
  double sine, cosine;
  __ptxcc_sincos(x, &sine, &cosine);
  return cosine;
}
__PTXCC_DEVICE__ double __ptxcc_tan(double x) {
  if (!(__ptxcc_abs(x) < __ptxcc_inf())) return __ptxcc_nan();
  if (__ptxcc_abs(x) < 0x1p-27) return x;
  __ptxcc_dd part, s, c;
  const int quadrant = __ptxcc_reduce(x, &part);
  __ptxcc_turn(part, quadrant, &s, &c);
  return __ptxcc_quotient(s, c).hi;
}
__PTXCC_DEVICE__ void __ptxcc_sincospi(double x, double* sine, double* cosine) {
  if (!(__ptxcc_abs(x) < __ptxcc_inf())) {
    *sine = *cosine = __ptxcc_nan();
    return;
  }
  const double whole = __ptxcc_abs(x) < 0x1p53 ? __ptxcc_mul(2, __builtin_trunc(__ptxcc_mul(x, 0.5))) : x;
  const double rest = __ptxcc_add(x, -whole);  // in -2 to 2
  const double k = __ptxcc_nearest(__ptxcc_add(rest, rest));
  const __ptxcc_dd part =
      __ptxcc_product(__ptxcc_dd{__ptxcc_fma(k, -0.5, rest), 0}, {__ptxcc_pi_1, __ptxcc_pi_2});
  __ptxcc_dd s, c;
  __ptxcc_turn(part, static_cast<int>(k), &s, &c);
  *sine = rest == __builtin_trunc(rest) ? __ptxcc_sign_of(0, x) : s.hi;
  *cosine = c.hi == 0 ? 0 : c.hi;
}

// atan(numerator / denominator) in two parts; both positive, the quotient at most 1.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_atan_part(__ptxcc_dd numerator, __ptxcc_dd denominator) {
  constexpr double c[] = {-1 / 19.0, 1 / 17.0, -1 / 15.0, 1 / 13.0, -1 / 11.0,
                          1 / 9.0,   -1 / 7.0, 1 / 5.0,   -1 / 3.0};
  const int eighth =
      static_cast<int>(__ptxcc_nearest(__ptxcc_mul(8, __nvvm_div_rn_d(numerator.hi, denominator.hi))));
  const double step = eighth * 0.125;
  // The angle from the step on.
  const __ptxcc_dd over = __ptxcc_sum(numerator, __ptxcc_product(denominator, {-step, 0}));
  const __ptxcc_dd under = __ptxcc_sum(denominator, __ptxcc_product(numerator, {step, 0}));
  const __ptxcc_dd t = __ptxcc_quotient(over, under);
  const double z = __ptxcc_mul(t.hi, t.hi);
  const double rest = __ptxcc_mul(__ptxcc_mul(z, t.hi), __ptxcc_polynomial(z, c));
  const __ptxcc_dd base = {__ptxcc_atan_eighths[2 * eighth], __ptxcc_atan_eighths[2 * eighth + 1]};
  return __ptxcc_sum(base, __ptxcc_quick_sum(t.hi, __ptxcc_add(t.lo, rest)));
}
// The angle of a point, both coordinates positive; behind: beyond the upright.
__PTXCC_DEVICE__ double __ptxcc_angle(__ptxcc_dd y, __ptxcc_dd x, bool behind) {
  __ptxcc_dd angle = y.hi > x.hi ? __ptxcc_sum({__ptxcc_half_pi_1, __ptxcc_half_pi_2},
                                               __ptxcc_negative(__ptxcc_atan_part(x, y)))
                                 : __ptxcc_atan_part(y, x);
  if (behind) angle = __ptxcc_sum({__ptxcc_pi_1, __ptxcc_pi_2}, __ptxcc_negative(angle));
  return angle.hi;
}
__PTXCC_DEVICE__ double __ptxcc_atan(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (__ptxcc_is_nan(x) || magnitude < 0x1p-27) return x;
  if (magnitude > 0x1p60) return __ptxcc_sign_of(__ptxcc_half_pi_1, x);
  return __ptxcc_sign_of(__ptxcc_angle({magnitude, 0}, {1, 0}, false), x);
}
__PTXCC_DEVICE__ double __ptxcc_atan2(double y, double x) {
  if (__ptxcc_is_nan(x) || __ptxcc_is_nan(y)) return __ptxcc_add(x, y);
  double over = __ptxcc_abs(y), under = __ptxcc_abs(x);
  const bool behind = (__ptxcc_bits(x) >> 63) != 0;
  if (over == 0) return __ptxcc_sign_of(behind ? __ptxcc_pi_1 : 0, y);
  if (under == 0) return __ptxcc_sign_of(__ptxcc_half_pi_1, y);
  if (over == __ptxcc_inf() || under == __ptxcc_inf()) {
    over = over == __ptxcc_inf() ? 1 : 0;
    under = under == __ptxcc_inf() ? 1 : 0;
    if (over == 0) return __ptxcc_sign_of(behind ? __ptxcc_pi_1 : 0, y);
  } else {
    const int exponent = static_cast<int>((__ptxcc_bits(over > under ? over : under) >> 52) & 0x7ff) - 1023;
    over = __ptxcc_scale(over, -exponent);
    under = __ptxcc_scale(under, -exponent);
    if (over < 0x1p-1000 && !behind)
      return __ptxcc_sign_of(__ptxcc_scale(__nvvm_div_rn_d(__ptxcc_abs(y) * 0x1p60, __ptxcc_abs(x)), -60), y);
    if (over < 0x1p-400)
      return __ptxcc_sign_of(behind ? __ptxcc_pi_1 : __nvvm_div_rn_d(__ptxcc_abs(y), __ptxcc_abs(x)), y);
    if (under < 0x1p-400) return __ptxcc_sign_of(__ptxcc_half_pi_1, y);
  }
  return __ptxcc_sign_of(__ptxcc_angle({over, 0}, {under, 0}, behind), y);
}
// sqrt(1 - x^2) in two parts.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_other_leg(double x) {
  return __ptxcc_root(__ptxcc_product(__ptxcc_sum(1.0, -x), __ptxcc_sum(1.0, x)));
}
__PTXCC_DEVICE__ double __ptxcc_asin(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (!(magnitude <= 1)) return __ptxcc_nan();
  if (magnitude < 0x1p-27) return x;
  return __ptxcc_sign_of(__ptxcc_angle({magnitude, 0}, __ptxcc_other_leg(magnitude), false), x);
}
__PTXCC_DEVICE__ double __ptxcc_acos(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (!(magnitude <= 1)) return __ptxcc_nan();
  return __ptxcc_angle(__ptxcc_other_leg(magnitude), {magnitude, 0}, x < 0);
}

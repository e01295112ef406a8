// SPDX-License-Identifier: MIT
// Elementary functions for float, computed in plain double: some 30 correct bits, at a fraction of
// math_double.h's cost.
//
// A float's result is these rounded, which is nearly always the nearest float. Fusing does no harm here, so
// operators are written as such. By the other rules of math_double.h.
#pragma once
#include "math_angles.h"

// exp(x); x is kept where a float's exponential is neither 0 nor infinite, and a little further.
__PTXCC_DEVICE__ double __ptxcc_light_exp_part(double r, int k) {
  constexpr double c[] = {1 / 362880.0, 1 / 40320.0, 1 / 5040.0, 1 / 720.0, 1 / 120.0,
                          1 / 24.0,     1 / 6.0,     0.5,        1,         1};
  return __ptxcc_polynomial(r, c) * __ptxcc_power_of_2(k);
}
__PTXCC_DEVICE__ double __ptxcc_light_exp(double x) {
  if (__ptxcc_is_nan(x)) return x;
  x = x > 200 ? 200 : (x < -200 ? -200 : x);
  const double k = __ptxcc_nearest(x * __ptxcc_log2_e_1);
  return __ptxcc_light_exp_part(__ptxcc_fma(-k, __ptxcc_ln2_1, x), static_cast<int>(k));
}
__PTXCC_DEVICE__ double __ptxcc_light_exp2(double x) {
  if (__ptxcc_is_nan(x)) return x;
  x = x > 300 ? 300 : (x < -300 ? -300 : x);
  const double k = __ptxcc_nearest(x);
  return __ptxcc_light_exp_part((x - k) * __ptxcc_ln2_1, static_cast<int>(k));
}
__PTXCC_DEVICE__ double __ptxcc_light_exp10(double x) {
  if (__ptxcc_is_nan(x)) return x;
  x = x > 90 ? 90 : (x < -90 ? -90 : x);
  const double k = __ptxcc_nearest(x * __ptxcc_log2_10_1);
  return __ptxcc_light_exp_part(__ptxcc_fma(-k, __ptxcc_log10_2_short_1, x) * __ptxcc_ln10_1 -
                                    k * (__ptxcc_log10_2_rest_1 * __ptxcc_ln10_1),
                                static_cast<int>(k));
}

// per_2 for each factor of 2, per_e for each of e: ln(x), or another logarithm.
__PTXCC_DEVICE__ double __ptxcc_light_log(double x, double per_2, double per_e) {
  double special;
  if (__ptxcc_log_special(x, &special)) return special;
  constexpr double c[] = {2 / 15.0, 2 / 13.0, 2 / 11.0, 2 / 9.0, 2 / 7.0, 2 / 5.0, 2 / 3.0, 2};
  const int e = static_cast<int>((__ptxcc_bits(x) - 0x3fe6a09e667f3bcdull + (1ull << 62)) >> 52) - (1 << 10);
  const double f = x * __ptxcc_power_of_2(-e) - 1;
  const double s = f / (2 + f);
  return e * per_2 + s * __ptxcc_polynomial(s * s, c) * per_e;
}

__PTXCC_DEVICE__ void __ptxcc_light_sincos(double x, double* sine, double* cosine) {
  if (!(__ptxcc_abs(x) < __ptxcc_inf())) {
    *sine = *cosine = __ptxcc_nan();
    return;
  }
  constexpr double c_sin[] = {-1 / 39916800.0, 1 / 362880.0, -1 / 5040.0, 1 / 120.0, -1 / 6.0, 1};
  constexpr double c_cos[] = {1 / 479001600.0, -1 / 3628800.0, 1 / 40320.0, -1 / 720.0, 1 / 24.0, -0.5, 1};
  int quadrant;
  double r;
  if (__ptxcc_abs(x) < 0x1p30) {
    const double k = __ptxcc_nearest(x * __ptxcc_two_over_pi_1);
    r = __ptxcc_fma(-k, __ptxcc_half_pi_2, __ptxcc_fma(-k, __ptxcc_half_pi_1, x));
    quadrant = static_cast<int>(k);
  } else {
    __ptxcc_dd part;
    quadrant = __ptxcc_reduce_large(x, &part);
    r = part.hi;
  }
  const double z = r * r, s = r * __ptxcc_polynomial(z, c_sin), c = __ptxcc_polynomial(z, c_cos);
  const double first = (quadrant & 1) != 0 ? c : s, second = (quadrant & 1) != 0 ? s : c;
  *sine = x == 0 ? x : ((quadrant & 2) != 0 ? -first : first);
  *cosine = ((quadrant + 1) & 2) != 0 ? -second : second;
}
__PTXCC_DEVICE__ double __ptxcc_light_sin(double x) {
  double s, c;
  __ptxcc_light_sincos(x, &s, &c);
  return s;
}
__PTXCC_DEVICE__ double __ptxcc_light_cos(double x) {
  double s, c;
  __ptxcc_light_sincos(x, &s, &c);
  return c;
}
__PTXCC_DEVICE__ double __ptxcc_light_tan(double x) {
  double s, c;
  __ptxcc_light_sincos(x, &s, &c);
  return s / c;
}
__PTXCC_DEVICE__ double __ptxcc_light_pow(double x, double y) {
  double sign;
  double special;
  if (__ptxcc_pow_special(x, y, &sign, &special)) return special;
  return sign * __ptxcc_light_exp(y * __ptxcc_light_log(__ptxcc_abs(x), __ptxcc_ln2_1, 1));
}

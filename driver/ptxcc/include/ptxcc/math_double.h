// SPDX-License-Identifier: MIT
// Elementary functions of double: exponentials, logarithms, powers, hyperbolic functions, roots, remainders.
//
// Sums of two doubles carry what one loses, so that most results are the nearest double or its neighbour.
// Each operation is a PTX instruction with a named rounding: the compiler may not fuse any, and what was
// split exactly stays so. Must not use the names of <cmath>: math_names.h puts them on top, and
// tests/driver/ptxcc compiles this file for the host as well.
#pragma once
#include "math_tables.h"

using __ptxcc_u64 = unsigned long long;
using __ptxcc_i64 = long long;

// clang takes its builtins for plain sums and products, and fuses those: only asm is left alone.
#ifdef __CUDA__
__PTXCC_DEVICE__ double __ptxcc_add(double a, double b) {
  double result;
  asm("add.rn.f64 %0, %1, %2;" : "=d"(result) : "d"(a), "d"(b));
  return result;
}
__PTXCC_DEVICE__ double __ptxcc_mul(double a, double b) {
  double result;
  asm("mul.rn.f64 %0, %1, %2;" : "=d"(result) : "d"(a), "d"(b));
  return result;
}
#else
__PTXCC_DEVICE__ double __ptxcc_add(double a, double b) {
  return a + b;
}
__PTXCC_DEVICE__ double __ptxcc_mul(double a, double b) {
  return a * b;
}
#endif
__PTXCC_DEVICE__ double __ptxcc_fma(double a, double b, double c) {
  return __nvvm_fma_rn_d(a, b, c);
}
__PTXCC_DEVICE__ double __ptxcc_sqrt(double a) {
  return __nvvm_sqrt_rn_d(a);
}
__PTXCC_DEVICE__ __ptxcc_u64 __ptxcc_bits(double a) {
  return __builtin_bit_cast(__ptxcc_u64, a);
}
__PTXCC_DEVICE__ double __ptxcc_from_bits(__ptxcc_u64 a) {
  return __builtin_bit_cast(double, a);
}
__PTXCC_DEVICE__ double __ptxcc_abs(double a) {
  return __ptxcc_from_bits(__ptxcc_bits(a) & 0x7fffffffffffffffull);
}
__PTXCC_DEVICE__ double __ptxcc_sign_of(double magnitude, double sign) {
  return __ptxcc_from_bits((__ptxcc_bits(magnitude) & 0x7fffffffffffffffull) |
                           (__ptxcc_bits(sign) & 0x8000000000000000ull));
}
__PTXCC_DEVICE__ bool __ptxcc_is_nan(double a) {
  return a != a;
}
__PTXCC_DEVICE__ bool __ptxcc_is_inf(double a) {
  return __ptxcc_abs(a) == __builtin_inf();
}
__PTXCC_DEVICE__ double __ptxcc_nan() {
  return __builtin_nan("");
}
__PTXCC_DEVICE__ double __ptxcc_inf() {
  return __builtin_inf();
}
// To the nearest integer, ties to even, for |a| < 2^51.
__PTXCC_DEVICE__ double __ptxcc_nearest(double a) {
  return __ptxcc_add(__ptxcc_add(a, 0x1.8p52), -0x1.8p52);
}

// A number as a sum: hi is the sum rounded.
struct __ptxcc_dd {
  double hi, lo;
};
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_quick_sum(double a, double b) {  // |a| >= |b|
  const double sum = __ptxcc_add(a, b);
  return {sum, __ptxcc_add(b, -__ptxcc_add(sum, -a))};
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_sum(double a, double b) {
  const double sum = __ptxcc_add(a, b);
  const double part = __ptxcc_add(sum, -a);
  return {sum, __ptxcc_add(__ptxcc_add(a, -__ptxcc_add(sum, -part)), __ptxcc_add(b, -part))};
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_product(double a, double b) {
  const double product = __ptxcc_mul(a, b);
  return {product, __ptxcc_fma(a, b, -product)};
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_sum(__ptxcc_dd a, __ptxcc_dd b) {
  const __ptxcc_dd hi = __ptxcc_sum(a.hi, b.hi);
  const __ptxcc_dd lo = __ptxcc_sum(a.lo, b.lo);
  const __ptxcc_dd middle = __ptxcc_quick_sum(hi.hi, __ptxcc_add(hi.lo, lo.hi));
  return __ptxcc_quick_sum(middle.hi, __ptxcc_add(middle.lo, lo.lo));
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_negative(__ptxcc_dd a) {
  return {-a.hi, -a.lo};
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_product(__ptxcc_dd a, __ptxcc_dd b) {
  const __ptxcc_dd p = __ptxcc_product(a.hi, b.hi);
  return __ptxcc_quick_sum(p.hi, __ptxcc_add(p.lo, __ptxcc_fma(a.hi, b.lo, __ptxcc_mul(a.lo, b.hi))));
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_quotient(__ptxcc_dd a, __ptxcc_dd b) {
  const double first = __nvvm_div_rn_d(a.hi, b.hi);
  const double rest = __ptxcc_add(__ptxcc_fma(-first, b.hi, a.hi), __ptxcc_fma(-first, b.lo, a.lo));
  return __ptxcc_quick_sum(first, __nvvm_div_rn_d(rest, b.hi));
}
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_root(__ptxcc_dd a) {
  if (!(a.hi > 0)) return {a.hi == 0 ? a.hi : __ptxcc_nan(), 0};
  const double root = __ptxcc_sqrt(a.hi);
  const double rest = __ptxcc_add(__ptxcc_fma(-root, root, a.hi), a.lo);
  return __ptxcc_quick_sum(root, __nvvm_div_rn_d(rest, __ptxcc_add(root, root)));
}
// Coefficients from the highest power down.
template <int n>
__PTXCC_DEVICE__ double __ptxcc_polynomial(double x, const double (&c)[n]) {
  double sum = c[0];
  for (int i = 1; i < n; ++i) sum = __ptxcc_fma(sum, x, c[i]);
  return sum;
}

// a times 2^k, rounded once: the last of three steps alone can leave the normal numbers.
__PTXCC_DEVICE__ double __ptxcc_power_of_2(int k) {
  return __ptxcc_from_bits(static_cast<__ptxcc_u64>(k + 1023) << 52);
}
__PTXCC_DEVICE__ double __ptxcc_scale(double a, int k) {
  if (k < -2200) k = -2200;
  if (k > 2200) k = 2200;
  const __ptxcc_u64 field = (__ptxcc_bits(a) >> 52) & 0x7ff;
  if (field == 0x7ff || a == 0) return a;
  if (field == 0) {
    a = __ptxcc_mul(a, 0x1p54);
    k -= 54;
  }
  const int exponent = static_cast<int>((__ptxcc_bits(a) >> 52) & 0x7ff) + k;
  const __ptxcc_u64 rest = __ptxcc_bits(a) & 0x800fffffffffffffull;
  if (exponent >= 0x7ff) return __ptxcc_sign_of(__ptxcc_inf(), a);
  if (exponent > 0) return __ptxcc_from_bits(rest | static_cast<__ptxcc_u64>(exponent) << 52);
  if (exponent < -54) return __ptxcc_sign_of(0, a);
  return __ptxcc_mul(__ptxcc_from_bits(rest | static_cast<__ptxcc_u64>(exponent + 64) << 52), 0x1p-64);
}
__PTXCC_DEVICE__ double __ptxcc_scale(__ptxcc_dd a, int k) {
  const double sum = __ptxcc_add(a.hi, a.lo);
  return k > -960 && k < 960 ? __ptxcc_mul(sum, __ptxcc_power_of_2(k)) : __ptxcc_scale(sum, k);
}

// ---- exponentials ----

// exp(r + low) - 1 for |r| < 0.35 in two parts.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_exp_part(double r, double low) {
  constexpr double c[] = {
      1 / 1307674368000.0, 1 / 87178291200.0, 1 / 6227020800.0, 1 / 479001600.0, 1 / 39916800.0,
      1 / 3628800.0,       1 / 362880.0,      1 / 40320.0,      1 / 5040.0,      1 / 720.0,
      1 / 120.0,           1 / 24.0,          1 / 6.0};
  const __ptxcc_dd square = __ptxcc_product(r, 0.5 * r);
  const double cube = __ptxcc_mul(__ptxcc_mul(r, r), r);
  const double rest =
      __ptxcc_fma(cube, __ptxcc_polynomial(r, c), __ptxcc_add(square.lo, __ptxcc_fma(low, r, low)));
  const __ptxcc_dd sum = __ptxcc_quick_sum(r, square.hi);
  return __ptxcc_quick_sum(sum.hi, __ptxcc_add(sum.lo, rest));
}
// x = k ln 2 + part; |x| < 2000.
__PTXCC_DEVICE__ int __ptxcc_exp_reduce(__ptxcc_dd x, __ptxcc_dd* part) {
  const double k = __ptxcc_nearest(__ptxcc_mul(x.hi, __ptxcc_log2_e_1));
  const double r = __ptxcc_fma(-k, __ptxcc_ln2_short_1, x.hi);
  *part = __ptxcc_sum(r, __ptxcc_fma(-k, __ptxcc_ln2_rest_1, x.lo));
  return static_cast<int>(k);
}
__PTXCC_DEVICE__ double __ptxcc_exp_of(__ptxcc_dd x) {
  if (!(x.hi < 710)) return __ptxcc_is_nan(x.hi) ? x.hi : __ptxcc_inf();
  if (x.hi < -746) return 0;
  __ptxcc_dd part;
  const int k = __ptxcc_exp_reduce(x, &part);
  const __ptxcc_dd p = __ptxcc_exp_part(part.hi, part.lo);
  const __ptxcc_dd sum = __ptxcc_quick_sum(1, p.hi);
  return __ptxcc_scale(__ptxcc_quick_sum(sum.hi, __ptxcc_add(sum.lo, p.lo)), k);
}
__PTXCC_DEVICE__ double __ptxcc_exp(double x) {
  return __ptxcc_exp_of({x, 0});
}
__PTXCC_DEVICE__ double __ptxcc_exp2(double x) {
  if (!(x < 1024)) return __ptxcc_is_nan(x) ? x : __ptxcc_inf();
  if (x < -1080) return 0;
  const double k = __ptxcc_nearest(x);
  const __ptxcc_dd part = __ptxcc_product(__ptxcc_dd{__ptxcc_add(x, -k), 0}, {__ptxcc_ln2_1, __ptxcc_ln2_2});
  const __ptxcc_dd p = __ptxcc_exp_part(part.hi, part.lo);
  const __ptxcc_dd sum = __ptxcc_quick_sum(1, p.hi);
  return __ptxcc_scale(__ptxcc_quick_sum(sum.hi, __ptxcc_add(sum.lo, p.lo)), static_cast<int>(k));
}
__PTXCC_DEVICE__ double __ptxcc_exp10(double x) {
  if (!(x < 309)) return __ptxcc_is_nan(x) ? x : __ptxcc_inf();
  if (x < -325) return 0;
  const double k = __ptxcc_nearest(__ptxcc_mul(x, __ptxcc_log2_10_1));
  const __ptxcc_dd rest =
      __ptxcc_sum(__ptxcc_fma(-k, __ptxcc_log10_2_short_1, x), __ptxcc_mul(-k, __ptxcc_log10_2_rest_1));
  const __ptxcc_dd part = __ptxcc_product(rest, {__ptxcc_ln10_1, __ptxcc_ln10_2});
  const __ptxcc_dd p = __ptxcc_exp_part(part.hi, part.lo);
  const __ptxcc_dd sum = __ptxcc_quick_sum(1, p.hi);
  return __ptxcc_scale(__ptxcc_quick_sum(sum.hi, __ptxcc_add(sum.lo, p.lo)), static_cast<int>(k));
}
// exp(x) - 1 in two parts, for |x| < 700.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_expm1_of(double x) {
  __ptxcc_dd part;
  const int k = __ptxcc_exp_reduce({x, 0}, &part);
  const __ptxcc_dd p = __ptxcc_exp_part(part.hi, part.lo);
  if (k == 0) return p;
  const double scale = __ptxcc_power_of_2(k);
  return __ptxcc_sum(__ptxcc_sum(scale, -1.0), {__ptxcc_mul(p.hi, scale), __ptxcc_mul(p.lo, scale)});
}
__PTXCC_DEVICE__ double __ptxcc_expm1(double x) {
  if (__ptxcc_abs(x) < 0x1p-54 || __ptxcc_is_nan(x)) return x;
  if (x > 700) return __ptxcc_exp(x);
  if (x < -60) return -1;
  const __ptxcc_dd result = __ptxcc_expm1_of(x);
  return __ptxcc_add(result.hi, result.lo);
}

// ---- logarithms ----

// ln(1 + f) + e ln 2 in two parts, for -0.3 < f < 0.42.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_log_part(__ptxcc_dd f, int e) {
  constexpr double c[] = {2 / 25.0, 2 / 23.0, 2 / 21.0, 2 / 19.0, 2 / 17.0, 2 / 15.0,
                          2 / 13.0, 2 / 11.0, 2 / 9.0,  2 / 7.0,  2 / 5.0};
  const __ptxcc_dd s = __ptxcc_quotient(f, __ptxcc_sum({2, 0}, f));
  const __ptxcc_dd z = __ptxcc_product(s, s);
  const __ptxcc_dd cube = __ptxcc_product(s, z);
  const double rest = __ptxcc_mul(__ptxcc_mul(cube.hi, z.hi), __ptxcc_polynomial(z.hi, c));
  const __ptxcc_dd third = __ptxcc_product(cube, {__ptxcc_third_1, __ptxcc_third_2});
  __ptxcc_dd sum = __ptxcc_sum({2 * s.hi, 2 * s.lo}, third);
  sum = __ptxcc_sum(sum, {rest, 0});
  if (e == 0) return sum;
  const double k = e;
  const __ptxcc_dd whole =
      __ptxcc_sum(__ptxcc_mul(k, __ptxcc_ln2_short_1), __ptxcc_mul(k, __ptxcc_ln2_rest_1));
  const double last = __ptxcc_fma(k, __ptxcc_ln2_rest_1, -__ptxcc_mul(k, __ptxcc_ln2_rest_1));
  return __ptxcc_sum(__ptxcc_dd{whole.hi, __ptxcc_add(whole.lo, __ptxcc_fma(k, __ptxcc_ln2_rest_2, last))},
                     sum);
}
// ln(x) in two parts, for x > 0 and finite.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_log_of(__ptxcc_dd x) {
  int e = 0;
  if (x.hi < 0x1p-1000) {
    x = {__ptxcc_mul(x.hi, 0x1p100), __ptxcc_mul(x.lo, 0x1p100)};
    e = -100;
  }
  // The exponent that leaves sqrt(1/2) to sqrt(2).
  const int shift =
      static_cast<int>((__ptxcc_bits(x.hi) - 0x3fe6a09e667f3bcdull + (1ull << 62)) >> 52) - (1 << 10);
  const double half = __ptxcc_power_of_2(-(shift / 2)), other = __ptxcc_power_of_2(-(shift - shift / 2));
  const double hi = __ptxcc_mul(__ptxcc_mul(x.hi, half), other),
               lo = __ptxcc_mul(__ptxcc_mul(x.lo, half), other);
  return __ptxcc_log_part(__ptxcc_sum(__ptxcc_add(hi, -1.0), lo), shift + e);
}
// ln(1 + x) in two parts, for x > -1 and finite.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_log1p_of(__ptxcc_dd x) {
  if (x.hi > -0.29 && x.hi < 0.41) return __ptxcc_log_part(x, 0);
  return __ptxcc_log_of(__ptxcc_sum({1, 0}, x));
}
__PTXCC_DEVICE__ bool __ptxcc_log_special(double x, double* result) {
  if (x > 0 && x < __ptxcc_inf()) return false;
  *result = x == 0 ? -__ptxcc_inf() : (x > 0 || __ptxcc_is_nan(x) ? x : __ptxcc_nan());
  return true;
}
__PTXCC_DEVICE__ double __ptxcc_log(double x) {
  double special;
  if (__ptxcc_log_special(x, &special)) return special;
  return __ptxcc_log_of({x, 0}).hi;
}
__PTXCC_DEVICE__ double __ptxcc_log2(double x) {
  double special;
  if (__ptxcc_log_special(x, &special)) return special;
  return __ptxcc_product(__ptxcc_log_of({x, 0}), {__ptxcc_log2_e_1, __ptxcc_log2_e_2}).hi;
}
__PTXCC_DEVICE__ double __ptxcc_log10(double x) {
  double special;
  if (__ptxcc_log_special(x, &special)) return special;
  return __ptxcc_product(__ptxcc_log_of({x, 0}), {__ptxcc_log10_e_1, __ptxcc_log10_e_2}).hi;
}
__PTXCC_DEVICE__ double __ptxcc_log1p(double x) {
  if (__ptxcc_abs(x) < 0x1p-54) return x;
  double special;
  if (__ptxcc_log_special(__ptxcc_add(1, x), &special)) return special;
  return __ptxcc_log1p_of({x, 0}).hi;
}

// 0: y is no integer, 1: odd, 2: even.
__PTXCC_DEVICE__ int __ptxcc_parity(double y) {
  const double magnitude = __ptxcc_abs(y);
  if (magnitude >= 0x1p53) return 2;
  if (__builtin_trunc(magnitude) != magnitude) return 0;
  return (static_cast<__ptxcc_i64>(magnitude) & 1) != 0 ? 1 : 2;
}
// Whether x to the y is decided without computing it; otherwise the sign that the result will have.
__PTXCC_DEVICE__ bool __ptxcc_pow_special(double x, double y, double* sign, double* result) {
  const double magnitude = __ptxcc_abs(x);
  const int parity = __ptxcc_parity(y);
  *sign = (__ptxcc_bits(x) >> 63) != 0 && parity == 1 ? -1 : 1;
  if (y == 0 || x == 1)
    *result = 1;
  else if (__ptxcc_is_nan(x) || __ptxcc_is_nan(y))
    *result = __ptxcc_nan();
  else if (__ptxcc_abs(y) > 0x1p70)
    *result = magnitude == 1 ? 1 : ((magnitude > 1) == (y > 0) ? __ptxcc_inf() : 0);
  else if (magnitude == 0 || __ptxcc_is_inf(x))
    *result = __ptxcc_sign_of((magnitude == 0) == (y > 0) ? 0 : __ptxcc_inf(), *sign);
  else if (x < 0 && parity == 0)
    *result = __ptxcc_nan();
  else if (__ptxcc_abs(y) < 0x1p-70)
    *result = *sign;
  else
    return false;
  return true;
}
__PTXCC_DEVICE__ double __ptxcc_pow(double x, double y) {
  double sign, special;
  if (__ptxcc_pow_special(x, y, &sign, &special)) return special;
  return __ptxcc_mul(sign, __ptxcc_exp_of(__ptxcc_product(__ptxcc_log_of({__ptxcc_abs(x), 0}), {y, 0})));
}

// ---- hyperbolic functions ----

__PTXCC_DEVICE__ double __ptxcc_sinh(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (magnitude < 0x1p-27 || !(magnitude < 711))
    return __ptxcc_is_nan(x) || magnitude < 1 ? x : __ptxcc_sign_of(__ptxcc_inf(), x);
  if (magnitude > 40) {
    const __ptxcc_dd less = __ptxcc_sum({magnitude, 0}, {-__ptxcc_ln2_1, -__ptxcc_ln2_2});
    return __ptxcc_sign_of(__ptxcc_exp_of(less), x);
  }
  const __ptxcc_dd t = __ptxcc_expm1_of(magnitude);
  const __ptxcc_dd sum = __ptxcc_sum(t, __ptxcc_quotient(t, __ptxcc_sum({1, 0}, t)));
  return __ptxcc_sign_of(0.5 * sum.hi, x);
}
__PTXCC_DEVICE__ double __ptxcc_cosh(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (!(magnitude < 711)) return __ptxcc_mul(magnitude, magnitude);
  if (magnitude > 40) return __ptxcc_exp_of(__ptxcc_sum({magnitude, 0}, {-__ptxcc_ln2_1, -__ptxcc_ln2_2}));
  const __ptxcc_dd e = __ptxcc_sum({1, 0}, __ptxcc_expm1_of(magnitude));
  return 0.5 * __ptxcc_sum(e, __ptxcc_quotient({1, 0}, e)).hi;
}
__PTXCC_DEVICE__ double __ptxcc_tanh(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (__ptxcc_is_nan(x) || magnitude < 0x1p-27) return x;
  if (magnitude > 22) return __ptxcc_sign_of(1, x);
  const __ptxcc_dd t = __ptxcc_expm1_of(2 * magnitude);
  return __ptxcc_sign_of(__ptxcc_quotient(t, __ptxcc_sum({2, 0}, t)).hi, x);
}
__PTXCC_DEVICE__ double __ptxcc_asinh(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (!(magnitude < __ptxcc_inf()) || magnitude < 0x1p-27) return x;
  if (magnitude > 0x1p30)
    return __ptxcc_sign_of(__ptxcc_sum(__ptxcc_log_of({magnitude, 0}), {__ptxcc_ln2_1, __ptxcc_ln2_2}).hi, x);
  const __ptxcc_dd square = __ptxcc_product(magnitude, magnitude);
  const __ptxcc_dd root = __ptxcc_root(__ptxcc_sum({1, 0}, square));
  const __ptxcc_dd more = __ptxcc_quotient(square, __ptxcc_sum({1, 0}, root));
  return __ptxcc_sign_of(__ptxcc_log1p_of(__ptxcc_sum({magnitude, 0}, more)).hi, x);
}
__PTXCC_DEVICE__ double __ptxcc_acosh(double x) {
  if (!(x >= 1)) return __ptxcc_nan();
  if (x == __ptxcc_inf()) return x;
  if (x > 0x1p30) return __ptxcc_sum(__ptxcc_log_of({x, 0}), {__ptxcc_ln2_1, __ptxcc_ln2_2}).hi;
  const __ptxcc_dd less = __ptxcc_sum(x, -1.0), more = __ptxcc_sum(x, 1.0);
  return __ptxcc_log1p_of(__ptxcc_sum(less, __ptxcc_root(__ptxcc_product(less, more)))).hi;
}
__PTXCC_DEVICE__ double __ptxcc_atanh(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (!(magnitude <= 1)) return __ptxcc_nan();
  if (magnitude == 1) return __ptxcc_sign_of(__ptxcc_inf(), x);
  if (magnitude < 0x1p-27) return x;
  const __ptxcc_dd ratio = __ptxcc_quotient({2 * magnitude, 0}, __ptxcc_sum(1.0, -magnitude));
  return __ptxcc_sign_of(0.5 * __ptxcc_log1p_of(ratio).hi, x);
}

// ---- roots and norms ----

__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_cbrt_of(double m) {  // 1 <= m < 8
  double y = __ptxcc_fma(m, 0.145, 0.9);
  for (int i = 0; i < 5; ++i)
    y = __ptxcc_mul(__ptxcc_add(__ptxcc_add(y, y), __nvvm_div_rn_d(m, __ptxcc_mul(y, y))), 1 / 3.0);
  const __ptxcc_dd cube = __ptxcc_product(__ptxcc_product(y, y), {y, 0});
  const double rest = __ptxcc_add(__ptxcc_add(m, -cube.hi), -cube.lo);
  return __ptxcc_quick_sum(y, __nvvm_div_rn_d(rest, __ptxcc_mul(3, __ptxcc_mul(y, y))));
}
__PTXCC_DEVICE__ double __ptxcc_cbrt(double x, bool inverse = false) {
  double magnitude = __ptxcc_abs(x);
  if (magnitude == 0 || !(magnitude < __ptxcc_inf())) return inverse ? __nvvm_div_rn_d(1, x) : x;
  int e = 0;
  if (magnitude < 0x1p-1000) {
    magnitude = __ptxcc_mul(magnitude, 0x1p99);
    e = -33;
  }
  const int exponent = static_cast<int>(__ptxcc_bits(magnitude) >> 52) - 1023;
  const int third = (exponent + 3000) / 3 - 1000;
  const __ptxcc_dd root = __ptxcc_cbrt_of(__ptxcc_scale(magnitude, -3 * third));
  const double result = inverse ? __ptxcc_quotient({1, 0}, root).hi : root.hi;
  return __ptxcc_sign_of(__ptxcc_scale(result, inverse ? -third - e : third + e), x);
}
__PTXCC_DEVICE__ double __ptxcc_rsqrt(double x) {
  if (!(x > 0 && x < __ptxcc_inf())) return __nvvm_div_rn_d(1, __ptxcc_sqrt(x));
  return __ptxcc_quotient({1, 0}, __ptxcc_root({x, 0})).hi;
}
// The length of a vector, or one over it.
template <int n>
__PTXCC_DEVICE__ double __ptxcc_norm(const double (&v)[n], bool inverse) {
  double most = 0;
  bool nan = false, infinite = false;
  for (double x : v) {
    nan |= __ptxcc_is_nan(x);
    infinite |= __ptxcc_is_inf(x);
    if (__ptxcc_abs(x) > most) most = __ptxcc_abs(x);
  }
  if (infinite) return inverse ? 0 : __ptxcc_inf();
  if (nan) return __ptxcc_nan();
  if (most == 0) return inverse ? __ptxcc_inf() : 0;
  int exponent = static_cast<int>(__ptxcc_bits(most) >> 52) - 1023;
  __ptxcc_dd sum = {0, 0};
  for (double x : v) {
    const double scaled = __ptxcc_scale(x, -exponent);
    sum = __ptxcc_sum(sum, __ptxcc_product(scaled, scaled));
  }
  const __ptxcc_dd root = __ptxcc_root(sum);
  return inverse ? __ptxcc_scale(__ptxcc_quotient({1, 0}, root).hi, -exponent)
                 : __ptxcc_scale(root.hi, exponent);
}

// ---- remainders ----

// |x| modulo |y|, both finite and y not 0, with the low bits of the quotient.
__PTXCC_DEVICE__ double __ptxcc_modulo(double x, double y, unsigned int* quotient) {
  __ptxcc_u64 a = __ptxcc_bits(x) & 0x7fffffffffffffffull, b = __ptxcc_bits(y) & 0x7fffffffffffffffull;
  *quotient = 0;
  if (a < b) return __ptxcc_from_bits(a);
  int exponent_a = static_cast<int>(a >> 52), exponent_b = static_cast<int>(b >> 52);
  const __ptxcc_u64 fraction = 0xfffffffffffffull;
  a = exponent_a == 0 ? a : (a & fraction) | 1ull << 52;
  b = exponent_b == 0 ? b : (b & fraction) | 1ull << 52;
  if (exponent_a == 0) exponent_a = 1;
  if (exponent_b == 0) exponent_b = 1;
  unsigned int count = static_cast<unsigned int>(a / b);
  a %= b;
  for (int left = exponent_a - exponent_b; left > 0;) {
    const int step = left < 11 ? left : 11;
    a <<= step;
    count = (count << step) + static_cast<unsigned int>(a / b);
    a %= b;
    left -= step;
  }
  *quotient = count;
  if (a == 0) return 0;
  const int shift = __builtin_clzll(a) - 11;
  if (exponent_b > shift)
    return __ptxcc_from_bits(((a << shift) & fraction) | static_cast<__ptxcc_u64>(exponent_b - shift) << 52);
  return __ptxcc_from_bits(a << (exponent_b - 1));
}
__PTXCC_DEVICE__ double __ptxcc_fmod(double x, double y) {
  if (__ptxcc_is_nan(x) || __ptxcc_is_nan(y) || __ptxcc_is_inf(x) || y == 0) return __ptxcc_nan();
  if (__ptxcc_is_inf(y)) return x;
  unsigned int quotient;
  return __ptxcc_sign_of(__ptxcc_modulo(x, y, &quotient), x);
}
__PTXCC_DEVICE__ double __ptxcc_remquo(double x, double y, int* quotient) {
  *quotient = 0;
  if (__ptxcc_is_nan(x) || __ptxcc_is_nan(y) || __ptxcc_is_inf(x) || y == 0) return __ptxcc_nan();
  if (__ptxcc_is_inf(y)) return x;
  unsigned int count;
  const double magnitude = __ptxcc_abs(y);
  double rest = __ptxcc_modulo(x, y, &count);
  const double other = __ptxcc_add(magnitude, -rest);  // exact where it decides
  if (rest > other || (rest == other && (count & 1) != 0)) {
    rest = -other;
    ++count;
  }
  *quotient = static_cast<int>(count & 7) * (((__ptxcc_bits(x) ^ __ptxcc_bits(y)) >> 63) != 0 ? -1 : 1);
  if (rest == 0) return __ptxcc_sign_of(0, x);
  return (__ptxcc_bits(x) >> 63) != 0 ? -rest : rest;
}

// SPDX-License-Identifier: MIT
// Special functions of double: error functions and their inverses, the normal distribution, gamma, Bessel of
// the first kind. By the rules of math_double.h.
#pragma once
#include "math_angles.h"

// exp(x^2) erfc(x) in two parts, for x >= 0.
__PTXCC_DEVICE__ double __ptxcc_scaled_erfc(double x) {
  const double t = __nvvm_div_rn_d(__ptxcc_add(x, -4), __ptxcc_add(x, 4));
  double next = 0, last = 0;  // Clenshaw's sum of a Chebyshev series
  for (int i = 26; i > 0; --i) {
    const double sum = __ptxcc_fma(2 * t, next, __ptxcc_add(__ptxcc_erfcx[i], -last));
    last = next;
    next = sum;
  }
  return __nvvm_div_rn_d(__ptxcc_fma(t, next, __ptxcc_add(__ptxcc_erfcx[0], -last)), __ptxcc_fma(2, x, 1));
}
// exp(-x^2), the square in two parts.
__PTXCC_DEVICE__ double __ptxcc_gauss(double x) {
  return __ptxcc_exp_of(__ptxcc_negative(__ptxcc_product(x, x)));
}
// The series around 0, for |x| < 1.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_erf_small(double x) {
  const double z = __ptxcc_mul(x, x);
  double term = x, rest = 0;
  for (int n = 1; n < 24; ++n) {
    term = __ptxcc_mul(term, __nvvm_div_rn_d(-z, n));
    rest = __ptxcc_add(rest, __nvvm_div_rn_d(term, 2 * n + 1));
  }
  return __ptxcc_product(__ptxcc_quick_sum(x, rest),
                         {2 * __ptxcc_inverse_sqrt_pi_1, 2 * __ptxcc_inverse_sqrt_pi_2});
}
__PTXCC_DEVICE__ double __ptxcc_erfc(double x) {
  if (__ptxcc_is_nan(x)) return x;
  if (__ptxcc_abs(x) < 0.5) return __ptxcc_sum({1, 0}, __ptxcc_negative(__ptxcc_erf_small(x))).hi;
  if (x < -6.5) return 2;
  if (x > 28) return 0;
  const double magnitude = __ptxcc_abs(x);
  const double value = __ptxcc_mul(__ptxcc_gauss(magnitude), __ptxcc_scaled_erfc(magnitude));
  return x < 0 ? __ptxcc_add(2, -value) : value;
}
__PTXCC_DEVICE__ double __ptxcc_erf(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (__ptxcc_is_nan(x) || magnitude == 0) return x;
  if (magnitude < 0x1p-1000)
    return __ptxcc_scale(__ptxcc_mul(__ptxcc_scale(x, 60), 2 * __ptxcc_inverse_sqrt_pi_1), -60);
  if (magnitude < 1) return __ptxcc_erf_small(x).hi;
  return __ptxcc_sign_of(__ptxcc_add(1, -__ptxcc_erfc(magnitude)), x);
}
__PTXCC_DEVICE__ double __ptxcc_erfcx_of(double x) {
  if (__ptxcc_is_nan(x)) return x;
  if (x >= 0) return x > 1e300 ? __nvvm_div_rn_d(__ptxcc_inverse_sqrt_pi_1, x) : __ptxcc_scaled_erfc(x);
  if (x < -27) return __ptxcc_inf();
  const double e = __ptxcc_exp_of(__ptxcc_product(x, x));
  return __ptxcc_add(e, __ptxcc_add(e, -__ptxcc_scaled_erfc(-x)));
}
__PTXCC_DEVICE__ double __ptxcc_normcdf(double x) {
  if (x < -39) return 0;
  if (x > 39) return 1;
  // erfc at a point in two parts: its slope takes the second.
  const __ptxcc_dd t = __ptxcc_product(__ptxcc_dd{x, 0}, {-__ptxcc_sqrt_half_1, -__ptxcc_sqrt_half_2});
  const double slope = __ptxcc_mul(2 * __ptxcc_inverse_sqrt_pi_1, __ptxcc_gauss(t.hi));
  return 0.5 * __ptxcc_fma(-slope, t.lo, __ptxcc_erfc(t.hi));
}
// The z with erfc(z) = y, or with erf(z) = x where that is nearer: a rough start, then Newton's and Halley's
// steps.
__PTXCC_BIG_DEVICE__ double __ptxcc_erfcinv(double y) {
  if (!(y >= 0 && y <= 2)) return __ptxcc_nan();
  if (y == 0) return __ptxcc_inf();
  if (y == 2) return -__ptxcc_inf();
  const double small = y < 1 ? y : __ptxcc_add(2, -y);
  const double log = __ptxcc_log(small);
  double z = small > 0.5 ? 0.88622692545275801 * (1 - small)
                         : __ptxcc_sqrt(-log - 0.5 * __ptxcc_log(3.1415926535897931 * (0.3 - log)));
  for (int i = 0; i < 5; ++i) {
    // Relative to the value, so that the tail does not vanish.
    const double slope = __ptxcc_mul(-2 * __ptxcc_inverse_sqrt_pi_1, __ptxcc_gauss(z));
    const double step = __nvvm_div_rn_d(__ptxcc_add(__ptxcc_erfc(z), -small), slope);
    z = __ptxcc_add(z, -__nvvm_div_rn_d(step, __ptxcc_fma(z, step, 1)));
  }
  return y < 1 ? z : -z;
}
__PTXCC_BIG_DEVICE__ double __ptxcc_erfinv(double x) {
  const double magnitude = __ptxcc_abs(x);
  if (!(magnitude <= 1)) return __ptxcc_nan();
  if (magnitude < 0x1p-30) return __ptxcc_mul(x, 0.88622692545275801);
  if (magnitude > 0.5) return __ptxcc_sign_of(__ptxcc_erfcinv(__ptxcc_add(1, -magnitude)), x);
  double z = __ptxcc_mul(magnitude, 0.88622692545275801);
  for (int i = 0; i < 5; ++i) {
    const double slope = __ptxcc_mul(2 * __ptxcc_inverse_sqrt_pi_1, __ptxcc_gauss(z));
    const double step = __nvvm_div_rn_d(__ptxcc_add(__ptxcc_erf(z), -magnitude), slope);
    z = __ptxcc_add(z, -__nvvm_div_rn_d(step, __ptxcc_fma(z, step, 1)));
  }
  return __ptxcc_sign_of(z, x);
}
__PTXCC_DEVICE__ double __ptxcc_normcdfinv(double p) {
  return __ptxcc_mul(-2 * __ptxcc_sqrt_half_1, __ptxcc_erfcinv(__ptxcc_add(p, p)));
}

// ---- gamma ----

// ln gamma(x) by Stirling's series, for x >= 16.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_stirling_of(__ptxcc_dd x) {
  const double inverse = __nvvm_div_rn_d(1, x.hi);
  const double z = __ptxcc_mul(inverse, inverse);
  double series = 0;
  for (int i = 9; i >= 0; --i) series = __ptxcc_fma(series, z, __ptxcc_stirling[i]);
  const __ptxcc_dd main = __ptxcc_product(__ptxcc_sum(x, {-0.5, 0}), __ptxcc_log_of(x));
  const __ptxcc_dd sum =
      __ptxcc_sum(__ptxcc_sum(main, __ptxcc_negative(x)), {__ptxcc_half_ln_2pi_1, __ptxcc_half_ln_2pi_2});
  return __ptxcc_sum(sum, {__ptxcc_mul(series, inverse), 0});
}
// x (x + 1) … up to 16, which x becomes; x >= 0.
__PTXCC_DEVICE__ __ptxcc_dd __ptxcc_rising(__ptxcc_dd* x) {
  __ptxcc_dd product = {1, 0};
  while (x->hi < 16) {
    product = __ptxcc_product(product, *x);
    *x = __ptxcc_sum(*x, {1, 0});
  }
  return product;
}
__PTXCC_BIG_DEVICE__ double __ptxcc_tgamma(double x) {
  if (__ptxcc_is_nan(x) || x == __ptxcc_inf()) return x;
  if (x == 0) return __nvvm_div_rn_d(1, x);
  if (x == -__ptxcc_inf() || (x < 0 && __builtin_trunc(x) == x)) return __ptxcc_nan();
  if (x > 172) return __ptxcc_inf();
  if (__ptxcc_abs(x) < 0x1p-60) return __nvvm_div_rn_d(1, x);
  if (x < -186) return __ptxcc_sign_of(0, static_cast<__ptxcc_i64>(x) % 2 == 0 ? -1 : 1);
  __ptxcc_dd at = x < 0 ? __ptxcc_sum(1.0, -x) : __ptxcc_dd{x, 0};
  const __ptxcc_dd divisor = __ptxcc_rising(&at);
  __ptxcc_dd part;
  const int k = __ptxcc_exp_reduce(__ptxcc_stirling_of(at), &part);
  __ptxcc_dd value = __ptxcc_quotient(__ptxcc_sum({1, 0}, __ptxcc_exp_part(part.hi, part.lo)), divisor);
  if (x > 0) return __ptxcc_scale(value, k);
  double sine, cosine;
  __ptxcc_sincospi(x, &sine, &cosine);
  return __ptxcc_scale(__ptxcc_quotient({__ptxcc_pi_1, __ptxcc_pi_2}, __ptxcc_product(value, {sine, 0})), -k);
}
__PTXCC_BIG_DEVICE__ double __ptxcc_lgamma(double x) {
  if (__ptxcc_is_nan(x)) return x;
  if (__ptxcc_is_inf(x)) return __ptxcc_inf();
  if (x <= 0 && __builtin_trunc(x) == x) return __ptxcc_inf();
  if (__ptxcc_abs(x) < 0x1p-60) return -__ptxcc_log(__ptxcc_abs(x));
  if (x < 0) {
    double sine, cosine;
    __ptxcc_sincospi(x, &sine, &cosine);
    const __ptxcc_dd around = __ptxcc_product(__ptxcc_dd{__ptxcc_abs(sine), 0}, __ptxcc_dd{-x, 0});
    __ptxcc_dd at = {-x, 0};
    const __ptxcc_dd divisor = __ptxcc_rising(&at);
    const __ptxcc_dd sum =
        __ptxcc_sum(__ptxcc_log_of({__ptxcc_pi_1, __ptxcc_pi_2}), __ptxcc_negative(__ptxcc_log_of(around)));
    return __ptxcc_sum(__ptxcc_sum(sum, __ptxcc_log_of(divisor)), __ptxcc_negative(__ptxcc_stirling_of(at)))
        .hi;
  }
  if (x > 0.5 && x < 2.5) {
    const __ptxcc_dd z = x < 1.5 ? __ptxcc_sum(x, -1.0) : __ptxcc_sum(x, -2.0);
    double series = 0;
    for (int i = 31; i >= 0; --i) series = __ptxcc_fma(-z.hi, series, __ptxcc_lgamma_near_2[i]);
    __ptxcc_dd sum = __ptxcc_product(z, {__ptxcc_one_minus_euler_1, __ptxcc_one_minus_euler_2});
    sum = __ptxcc_sum(sum, {__ptxcc_mul(__ptxcc_mul(z.hi, z.hi), series), 0});
    if (x < 1.5) sum = __ptxcc_sum(sum, __ptxcc_negative(__ptxcc_log1p_of(z)));
    return sum.hi;
  }
  if (x > 1e305) return __ptxcc_mul(x, __ptxcc_add(__ptxcc_log(x), -1));
  __ptxcc_dd at = {x, 0};
  const __ptxcc_dd divisor = __ptxcc_rising(&at);
  return __ptxcc_sum(__ptxcc_stirling_of(at), __ptxcc_negative(__ptxcc_log_of(divisor))).hi;
}

// ---- Bessel functions of the first kind ----

// (1 / pi) times the integral of cos(n a - x sin a) over half a turn: equal steps converge faster than any
// power.
__PTXCC_BIG_DEVICE__ double __ptxcc_bessel_j(int order, double x) {
  const double magnitude = __ptxcc_abs(x);
  if (__ptxcc_is_nan(x)) return x;
  if (magnitude == __ptxcc_inf()) return 0;
  const bool odd = (order & 1) != 0;
  double result = 0;
  if (magnitude < 2) {
    // The power series, which keeps the digits of small results.
    double term = 1;
    const double half = 0.5 * magnitude;
    for (int k = 1; k <= order; ++k) term = __ptxcc_mul(term, __nvvm_div_rn_d(half, k));
    for (int k = 1; k < 20; ++k) {
      result = __ptxcc_add(result, term);
      term =
          __ptxcc_mul(term, __nvvm_div_rn_d(-__ptxcc_mul(half, half), static_cast<double>(k) * (k + order)));
    }
  } else if (magnitude < 30 || magnitude < 2.0 * order * order) {
    const int steps = static_cast<int>(magnitude) + (order < 0 ? -order : order) + 40;
    for (int i = 0; i < steps; ++i) {
      double sine, cosine, wave, other;
      __ptxcc_sincospi(__nvvm_div_rn_d(i + 0.5, steps), &sine, &cosine);
      const double turn = __ptxcc_mul(magnitude, sine);
      const double angle = __nvvm_div_rn_d(order * (i + 0.5), steps);  // in half turns
      __ptxcc_sincos(turn, &other, &wave);
      double sine_n, cosine_n;
      __ptxcc_sincospi(angle, &sine_n, &cosine_n);
      result = __ptxcc_add(result, __ptxcc_fma(cosine_n, wave, __ptxcc_mul(sine_n, other)));
    }
    result = __nvvm_div_rn_d(result, steps);
  } else {
    // Hankel's expansion far from zero.
    const double m = 4.0 * order * order;
    double p = 1, q = 0, term = 1;
    for (int k = 1; k < 26; ++k) {
      const double factor = __nvvm_div_rn_d(m - (2.0 * k - 1) * (2.0 * k - 1), 8.0 * k * magnitude);
      if (__ptxcc_abs(factor) > 1) break;
      term = __ptxcc_mul(term, factor);
      const double sign = (k & 2) != 0 ? -term : term;
      if ((k & 1) != 0)
        q = __ptxcc_add(q, sign);
      else
        p = __ptxcc_add(p, sign);
    }
    // The phase x - (2 n + 1) pi / 4, its part in pi by turning.
    __ptxcc_dd part, s, c;
    const int quadrant = __ptxcc_reduce(magnitude, &part);
    __ptxcc_turn(part, quadrant - order, &s, &c);
    const double cosine = __ptxcc_mul(__ptxcc_sqrt_half_1, __ptxcc_sum(c, s).hi);
    const double sine = __ptxcc_mul(__ptxcc_sqrt_half_1, __ptxcc_sum(s, __ptxcc_negative(c)).hi);
    const double scale = __ptxcc_sqrt(__nvvm_div_rn_d(2 / 3.1415926535897931, magnitude));
    result = __ptxcc_mul(scale, __ptxcc_fma(p, cosine, -__ptxcc_mul(q, sine)));
  }
  return odd && x < 0 ? -result : result;
}

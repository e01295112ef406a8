// SPDX-License-Identifier: MIT
// The mathematics of <cmath> and of CUDA under their names, for float and double, in the global namespace and
// in std.
//
// Has to come before <cmath>: clang makes libstdc++'s constexpr functions callable on the device unless one
// of ours with the same parameters is already there. A float function computes in double and rounds once at
// the end.
#pragma once
#include "float_intrinsics.h"
#include "math_light.h"
#include "math_special.h"

// <cmath> takes whole numbers too, as doubles, alone or mixed with others: 1 is a float or double, 2 a whole
// number.
template <class T>
struct __ptxcc_kind {
  static constexpr int value = 0;
};
template <bool>
struct __ptxcc_if {};
template <>
struct __ptxcc_if<true> {
  typedef double __double;
};
template <class T>
struct __ptxcc_if_integer : __ptxcc_if<__ptxcc_kind<T>::value == 2> {};
template <class T, class U>
struct __ptxcc_if_mixed : __ptxcc_if<__ptxcc_kind<T>::value * __ptxcc_kind<U>::value >= 2> {};
#define __PTXCC_INTEGER(type)       \
  template <>                       \
  struct __ptxcc_kind<type> {       \
    static constexpr int value = 2; \
  };
template <>
struct __ptxcc_kind<float> {
  static constexpr int value = 1;
};
template <>
struct __ptxcc_kind<double> {
  static constexpr int value = 1;
};
__PTXCC_INTEGER(bool)
__PTXCC_INTEGER(char)
__PTXCC_INTEGER(signed char)
__PTXCC_INTEGER(unsigned char)
__PTXCC_INTEGER(short)
__PTXCC_INTEGER(unsigned short)
__PTXCC_INTEGER(int)
__PTXCC_INTEGER(unsigned int)
__PTXCC_INTEGER(long)
__PTXCC_INTEGER(unsigned long)
__PTXCC_INTEGER(long long)
__PTXCC_INTEGER(unsigned long long)
#undef __PTXCC_INTEGER

// name(double), namef(float), name(float), name(integer); value: what it is, of x in double.
#define __PTXCC_OVERLOADS(name)                                         \
  __PTXCC_DEVICE__ float name(float x) {                                \
    return name##f(x);                                                  \
  }                                                                     \
  template <class T>                                                    \
  __PTXCC_DEVICE__ typename __ptxcc_if_integer<T>::__double name(T x) { \
    return name(static_cast<double>(x));                                \
  }                                                                     \
  namespace std {                                                       \
  using ::name;                                                         \
  using ::name##f;                                                      \
  }
#define __PTXCC_FUNCTION(name, value)          \
  __PTXCC_DEVICE__ double name(double x) {     \
    return value;                              \
  }                                            \
  __PTXCC_DEVICE__ float name##f(float from) { \
    const double x = from;                     \
    return static_cast<float>(value);          \
  }                                            \
  __PTXCC_OVERLOADS(name)
// One with a light way for float, and an approximation that --use_fast_math takes.
#ifdef __USE_FAST_MATH__
#define __PTXCC_LIGHT_FUNCTION(name, value, light, fast) \
  __PTXCC_DEVICE__ double name(double x) {               \
    return value;                                        \
  }                                                      \
  __PTXCC_DEVICE__ float name##f(float x) {              \
    return fast(x);                                      \
  }                                                      \
  __PTXCC_OVERLOADS(name)
#else
#define __PTXCC_LIGHT_FUNCTION(name, value, light, fast) \
  __PTXCC_DEVICE__ double name(double x) {               \
    return value;                                        \
  }                                                      \
  __PTXCC_DEVICE__ float name##f(float x) {              \
    return static_cast<float>(light);                    \
  }                                                      \
  __PTXCC_OVERLOADS(name)
#endif

__PTXCC_LIGHT_FUNCTION(sin, __ptxcc_sin(x), __ptxcc_light_sin(x), __sinf)
__PTXCC_LIGHT_FUNCTION(cos, __ptxcc_cos(x), __ptxcc_light_cos(x), __cosf)
__PTXCC_LIGHT_FUNCTION(tan, __ptxcc_tan(x), __ptxcc_light_tan(x), __tanf)
__PTXCC_LIGHT_FUNCTION(exp, __ptxcc_exp(x), __ptxcc_light_exp(x), __expf)
__PTXCC_LIGHT_FUNCTION(exp2, __ptxcc_exp2(x), __ptxcc_light_exp2(x), __ptxcc_ex2f)
__PTXCC_LIGHT_FUNCTION(exp10, __ptxcc_exp10(x), __ptxcc_light_exp10(x), __exp10f)
__PTXCC_LIGHT_FUNCTION(log, __ptxcc_log(x), __ptxcc_light_log(x, __ptxcc_ln2_1, 1), __logf)
__PTXCC_LIGHT_FUNCTION(log2, __ptxcc_log2(x), __ptxcc_light_log(x, 1, __ptxcc_log2_e_1), __log2f)
__PTXCC_LIGHT_FUNCTION(log10, __ptxcc_log10(x),
                       __ptxcc_light_log(x, __ptxcc_ln2_1* __ptxcc_log10_e_1, __ptxcc_log10_e_1), __log10f)
__PTXCC_FUNCTION(expm1, __ptxcc_expm1(x))
__PTXCC_FUNCTION(log1p, __ptxcc_log1p(x))
__PTXCC_FUNCTION(asin, __ptxcc_asin(x))
__PTXCC_FUNCTION(acos, __ptxcc_acos(x))
__PTXCC_FUNCTION(atan, __ptxcc_atan(x))
__PTXCC_FUNCTION(sinh, __ptxcc_sinh(x))
__PTXCC_FUNCTION(cosh, __ptxcc_cosh(x))
__PTXCC_FUNCTION(tanh, __ptxcc_tanh(x))
__PTXCC_FUNCTION(asinh, __ptxcc_asinh(x))
__PTXCC_FUNCTION(acosh, __ptxcc_acosh(x))
__PTXCC_FUNCTION(atanh, __ptxcc_atanh(x))
__PTXCC_FUNCTION(cbrt, __ptxcc_cbrt(x))
__PTXCC_FUNCTION(rcbrt, __ptxcc_cbrt(x, true))
__PTXCC_FUNCTION(erf, __ptxcc_erf(x))
__PTXCC_FUNCTION(erfc, __ptxcc_erfc(x))
__PTXCC_FUNCTION(erfcx, __ptxcc_erfcx_of(x))
__PTXCC_FUNCTION(erfinv, __ptxcc_erfinv(x))
__PTXCC_FUNCTION(erfcinv, __ptxcc_erfcinv(x))
__PTXCC_FUNCTION(normcdf, __ptxcc_normcdf(x))
__PTXCC_FUNCTION(normcdfinv, __ptxcc_normcdfinv(x))
__PTXCC_FUNCTION(tgamma, __ptxcc_tgamma(x))
__PTXCC_FUNCTION(lgamma, __ptxcc_lgamma(x))
__PTXCC_FUNCTION(j0, __ptxcc_bessel_j(0, x))
__PTXCC_FUNCTION(j1, __ptxcc_bessel_j(1, x))

__PTXCC_DEVICE__ int ilogb(double x) {
  if (x == 0) return -2147483647 - 1;
  if (x - x != 0) return x != x ? -2147483647 - 1 : 2147483647;
  const __ptxcc_u64 bits = __ptxcc_bits(x) & 0x7fffffffffffffffull;
  return bits >> 52 != 0 ? static_cast<int>(bits >> 52) - 1023 : -1011 - __builtin_clzll(bits);
}
__PTXCC_DEVICE__ int ilogbf(float x) {
  return ilogb(static_cast<double>(x));
}
__PTXCC_DEVICE__ int ilogb(float x) {
  return ilogbf(x);
}

// These are one instruction each, in both widths.
#define __PTXCC_EXACT(name, of_double, of_float) \
  __PTXCC_DEVICE__ double name(double x) {       \
    return of_double;                            \
  }                                              \
  __PTXCC_DEVICE__ float name##f(float x) {      \
    return of_float;                             \
  }                                              \
  __PTXCC_OVERLOADS(name)
__PTXCC_EXACT(floor, __builtin_floor(x), __builtin_floorf(x))
__PTXCC_EXACT(ceil, __builtin_ceil(x), __builtin_ceilf(x))
__PTXCC_EXACT(trunc, __builtin_trunc(x), __builtin_truncf(x))
__PTXCC_EXACT(rint, __builtin_rint(x), __builtin_rintf(x))
__PTXCC_EXACT(nearbyint, __builtin_rint(x), __builtin_rintf(x))
__PTXCC_EXACT(fabs, __builtin_fabs(x), __builtin_fabsf(x))
#ifdef __USE_FAST_MATH__
__PTXCC_EXACT(sqrt, __ptxcc_sqrt(x), __nvvm_sqrt_approx_ftz_f(x))
#else
__PTXCC_EXACT(sqrt, __ptxcc_sqrt(x), __builtin_sqrtf(x))
#endif
__PTXCC_EXACT(rsqrt, __ptxcc_rsqrt(x), __ptxcc_rsqrtf(x))
// Away from zero at a half, which no instruction does.
__PTXCC_EXACT(round,
              __builtin_trunc(x) + (__builtin_fabs(x - __builtin_trunc(x)) >= 0.5 ? __ptxcc_sign_of(1, x)
                                                                                  : __ptxcc_sign_of(0, x)),
              __builtin_truncf(x) + (__builtin_fabsf(x - __builtin_truncf(x)) >= 0.5f
                                         ? __builtin_copysignf(1, x)
                                         : __builtin_copysignf(0, x)))
__PTXCC_EXACT(logb,
              __ptxcc_is_inf(x) ? __ptxcc_inf()
                                : (x == 0 ? -__ptxcc_inf() : (__ptxcc_is_nan(x) ? x : ilogb(x))),
              static_cast<float>(logb(static_cast<double>(x))))
#undef __PTXCC_EXACT
#undef __PTXCC_FUNCTION
#undef __PTXCC_LIGHT_FUNCTION

// Of two numbers: mixed pairs are computed in double, as <cmath> has it.
#define __PTXCC_OVERLOADS_2(name)                                             \
  __PTXCC_DEVICE__ float name(float x, float y) {                             \
    return name##f(x, y);                                                     \
  }                                                                           \
  __PTXCC_DEVICE__ double name(float x, double y) {                           \
    return name(static_cast<double>(x), y);                                   \
  }                                                                           \
  __PTXCC_DEVICE__ double name(double x, float y) {                           \
    return name(x, static_cast<double>(y));                                   \
  }                                                                           \
  template <class T, class U>                                                 \
  __PTXCC_DEVICE__ typename __ptxcc_if_mixed<T, U>::__double name(T x, U y) { \
    return name(static_cast<double>(x), static_cast<double>(y));              \
  }                                                                           \
  namespace std {                                                             \
  using ::name;                                                               \
  using ::name##f;                                                            \
  }
#define __PTXCC_FUNCTION_2(name, value, of_float)    \
  __PTXCC_DEVICE__ double name(double x, double y) { \
    return value;                                    \
  }                                                  \
  __PTXCC_DEVICE__ float name##f(float x, float y) { \
    return of_float;                                 \
  }                                                  \
  __PTXCC_OVERLOADS_2(name)
// One whose float is the double's, rounded.
#define __PTXCC_ROUNDED_2(name, value) \
  __PTXCC_FUNCTION_2(name, value, static_cast<float>(name(static_cast<double>(x), static_cast<double>(y))))

template <class... T>
__PTXCC_DEVICE__ double __ptxcc_length(bool inverse, T... parts) {
  const double v[] = {parts...};
  return __ptxcc_norm(v, inverse);
}
__PTXCC_DEVICE__ double __ptxcc_larger(double x, double y) {
  return __ptxcc_is_nan(x)
             ? y
             : (__ptxcc_is_nan(y) ? x : (x == y ? ((__ptxcc_bits(x) >> 63) != 0 ? y : x) : (x < y ? y : x)));
}
__PTXCC_DEVICE__ double __ptxcc_smaller(double x, double y) {
  return -__ptxcc_larger(-x, -y);
}
template <class Bits, class T>
__PTXCC_DEVICE__ T __ptxcc_next(T x, T y) {
  if (x != x || y != y) return x + y;
  if (x == y) return y;
  Bits bits = __builtin_bit_cast(Bits, x);
  const Bits sign = Bits{1} << (8 * sizeof(T) - 1);
  if (x == 0) return __builtin_bit_cast(T, static_cast<Bits>((__builtin_bit_cast(Bits, y) & sign) | 1));
  bits += (x < y) == (x > 0) ? 1 : -1;
  return __builtin_bit_cast(T, bits);
}

#ifdef __USE_FAST_MATH__
__PTXCC_FUNCTION_2(pow, __ptxcc_pow(x, y), __powf(x, y))
#else
__PTXCC_FUNCTION_2(pow, __ptxcc_pow(x, y),
                   static_cast<float>(__ptxcc_light_pow(static_cast<double>(x), static_cast<double>(y))))
#endif
__PTXCC_ROUNDED_2(atan2, __ptxcc_atan2(x, y))
__PTXCC_ROUNDED_2(hypot, __ptxcc_length(false, x, y))
__PTXCC_ROUNDED_2(rhypot, __ptxcc_length(true, x, y))
__PTXCC_ROUNDED_2(fmod, __ptxcc_fmod(x, y))
__PTXCC_FUNCTION_2(fmax, __ptxcc_larger(x, y), __builtin_fmaxf(x, y))
__PTXCC_FUNCTION_2(fmin, __ptxcc_smaller(x, y), __builtin_fminf(x, y))
__PTXCC_FUNCTION_2(fdim, x <= y ? 0 : x - y, x <= y ? 0 : x - y)
__PTXCC_FUNCTION_2(copysign, __ptxcc_sign_of(x, y), __builtin_copysignf(x, y))
__PTXCC_FUNCTION_2(nextafter, (__ptxcc_next<__ptxcc_u64, double>(x, y)),
                   (__ptxcc_next<unsigned int, float>(x, y)))
__PTXCC_DEVICE__ double remquo(double x, double y, int* quotient) {
  return __ptxcc_remquo(x, y, quotient);
}
__PTXCC_DEVICE__ float remquof(float x, float y, int* quotient) {
  return static_cast<float>(__ptxcc_remquo(x, y, quotient));
}
__PTXCC_DEVICE__ float remquo(float x, float y, int* quotient) {
  return remquof(x, y, quotient);
}
__PTXCC_DEVICE__ double __ptxcc_remainder(double x, double y) {
  int quotient;
  return __ptxcc_remquo(x, y, &quotient);
}
__PTXCC_ROUNDED_2(remainder, __ptxcc_remainder(x, y))
#undef __PTXCC_FUNCTION_2
#undef __PTXCC_ROUNDED_2
#undef __PTXCC_OVERLOADS_2

__PTXCC_DEVICE__ float fdividef(float x, float y) {
  return x / y;
}
__PTXCC_DEVICE__ double fma(double x, double y, double z) {
  return __ptxcc_fma(x, y, z);
}
__PTXCC_DEVICE__ float fmaf(float x, float y, float z) {
  return __builtin_fmaf(x, y, z);
}
__PTXCC_DEVICE__ float fma(float x, float y, float z) {
  return fmaf(x, y, z);
}
__PTXCC_DEVICE__ double norm3d(double x, double y, double z) {
  return __ptxcc_length(false, x, y, z);
}
__PTXCC_DEVICE__ double rnorm3d(double x, double y, double z) {
  return __ptxcc_length(true, x, y, z);
}
__PTXCC_DEVICE__ double norm4d(double x, double y, double z, double w) {
  return __ptxcc_length(false, x, y, z, w);
}
__PTXCC_DEVICE__ double rnorm4d(double x, double y, double z, double w) {
  return __ptxcc_length(true, x, y, z, w);
}
__PTXCC_DEVICE__ float norm3df(float x, float y, float z) {
  return static_cast<float>(norm3d(x, y, z));
}
__PTXCC_DEVICE__ float rnorm3df(float x, float y, float z) {
  return static_cast<float>(rnorm3d(x, y, z));
}
__PTXCC_DEVICE__ float norm4df(float x, float y, float z, float w) {
  return static_cast<float>(norm4d(x, y, z, w));
}
__PTXCC_DEVICE__ float rnorm4df(float x, float y, float z, float w) {
  return static_cast<float>(rnorm4d(x, y, z, w));
}

__PTXCC_DEVICE__ void sincos(double x, double* sine, double* cosine) {
  __ptxcc_sincos(x, sine, cosine);
}
__PTXCC_DEVICE__ void sincospi(double x, double* sine, double* cosine) {
  __ptxcc_sincospi(x, sine, cosine);
}
__PTXCC_DEVICE__ void sincosf(float x, float* sine, float* cosine) {
#ifdef __USE_FAST_MATH__
  __sincosf(x, sine, cosine);
#else
  double s, c;
  __ptxcc_light_sincos(x, &s, &c);
  *sine = static_cast<float>(s);
  *cosine = static_cast<float>(c);
#endif
}
__PTXCC_DEVICE__ void sincospif(float x, float* sine, float* cosine) {
  double s, c;
  __ptxcc_sincospi(x, &s, &c);
  *sine = static_cast<float>(s);
  *cosine = static_cast<float>(c);
}
__PTXCC_DEVICE__ void sincos(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
__PTXCC_DEVICE__ void sincospi(float x, float* sine, float* cosine) {
  sincospif(x, sine, cosine);
}
__PTXCC_DEVICE__ double sinpi(double x) {
  double s, c;
  __ptxcc_sincospi(x, &s, &c);
  return s;
}
__PTXCC_DEVICE__ double cospi(double x) {
  double s, c;
  __ptxcc_sincospi(x, &s, &c);
  return c;
}
__PTXCC_DEVICE__ float sinpif(float x) {
  return static_cast<float>(sinpi(static_cast<double>(x)));
}
__PTXCC_DEVICE__ float cospif(float x) {
  return static_cast<float>(cospi(static_cast<double>(x)));
}
__PTXCC_DEVICE__ float sinpi(float x) {
  return sinpif(x);
}
__PTXCC_DEVICE__ float cospi(float x) {
  return cospif(x);
}
__PTXCC_DEVICE__ double jn(int n, double x) {
  return n < 0 && (n & 1) != 0 ? -__ptxcc_bessel_j(-n, x) : __ptxcc_bessel_j(n < 0 ? -n : n, x);
}
__PTXCC_DEVICE__ float jnf(int n, float x) {
  return static_cast<float>(jn(n, static_cast<double>(x)));
}

__PTXCC_DEVICE__ double ldexp(double x, int k) {
  return __ptxcc_scale(x, k);
}
__PTXCC_DEVICE__ float ldexpf(float x, int k) {
  return static_cast<float>(__ptxcc_scale(static_cast<double>(x), k));
}
__PTXCC_DEVICE__ float ldexp(float x, int k) {
  return ldexpf(x, k);
}
__PTXCC_DEVICE__ double scalbn(double x, int k) {
  return ldexp(x, k);
}
__PTXCC_DEVICE__ float scalbnf(float x, int k) {
  return ldexpf(x, k);
}
__PTXCC_DEVICE__ float scalbn(float x, int k) {
  return ldexpf(x, k);
}
__PTXCC_DEVICE__ double scalbln(double x, long k) {
  return ldexp(x, static_cast<int>(k > 9999 ? 9999 : (k < -9999 ? -9999 : k)));
}
__PTXCC_DEVICE__ float scalblnf(float x, long k) {
  return static_cast<float>(scalbln(static_cast<double>(x), k));
}
__PTXCC_DEVICE__ float scalbln(float x, long k) {
  return scalblnf(x, k);
}
__PTXCC_DEVICE__ double frexp(double x, int* exponent) {
  *exponent = 0;
  if (x == 0 || x - x != 0) return x;
  *exponent = ilogb(x) + 1;
  return __ptxcc_scale(x, -*exponent);
}
__PTXCC_DEVICE__ float frexpf(float x, int* exponent) {
  return static_cast<float>(frexp(static_cast<double>(x), exponent));
}
__PTXCC_DEVICE__ float frexp(float x, int* exponent) {
  return frexpf(x, exponent);
}
__PTXCC_DEVICE__ double modf(double x, double* whole) {
  *whole = __builtin_trunc(x);
  return __ptxcc_sign_of(__ptxcc_is_inf(x) ? 0 : x - *whole, x);
}
__PTXCC_DEVICE__ float modff(float x, float* whole) {
  double part;
  const double rest = modf(static_cast<double>(x), &part);
  *whole = static_cast<float>(part);
  return static_cast<float>(rest);
}
__PTXCC_DEVICE__ float modf(float x, float* whole) {
  return modff(x, whole);
}

// To whole numbers, by the mode of the hardware or away from zero at a half.
#define __PTXCC_TO_INTEGER(name, type, of) \
  __PTXCC_DEVICE__ type name(double x) {   \
    return static_cast<type>(of(x));       \
  }                                        \
  __PTXCC_DEVICE__ type name##f(float x) { \
    return static_cast<type>(of##f(x));    \
  }                                        \
  __PTXCC_DEVICE__ type name(float x) {    \
    return name##f(x);                     \
  }                                        \
  namespace std {                          \
  using ::name;                            \
  using ::name##f;                         \
  }
__PTXCC_TO_INTEGER(lrint, long, rint)
__PTXCC_TO_INTEGER(llrint, long long, rint)
__PTXCC_TO_INTEGER(lround, long, round)
__PTXCC_TO_INTEGER(llround, long long, round)
#undef __PTXCC_TO_INTEGER

#define __PTXCC_PREDICATE(name, value)   \
  __PTXCC_DEVICE__ bool name(float x) {  \
    return value;                        \
  }                                      \
  __PTXCC_DEVICE__ bool name(double x) { \
    return value;                        \
  }                                      \
  namespace std {                        \
  using ::name;                          \
  }
__PTXCC_PREDICATE(isnan, x != x)
__PTXCC_PREDICATE(isinf, __builtin_fabs(x) == __builtin_inf())
__PTXCC_PREDICATE(isfinite, __builtin_fabs(x) < __builtin_inf())
__PTXCC_PREDICATE(signbit, (__ptxcc_bits(x) >> 63) != 0)
#undef __PTXCC_PREDICATE
__PTXCC_DEVICE__ double nan(const char*) {
  return __builtin_nan("");
}
__PTXCC_DEVICE__ float nanf(const char*) {
  return __builtin_nanf("");
}

__PTXCC_DEVICE__ int abs(int x) {
  return x < 0 ? -x : x;
}
__PTXCC_DEVICE__ long abs(long x) {
  return x < 0 ? -x : x;
}
__PTXCC_DEVICE__ long long abs(long long x) {
  return x < 0 ? -x : x;
}
__PTXCC_DEVICE__ long labs(long x) {
  return abs(x);
}
__PTXCC_DEVICE__ long long llabs(long long x) {
  return abs(x);
}
__PTXCC_DEVICE__ float abs(float x) {
  return __builtin_fabsf(x);
}
__PTXCC_DEVICE__ double abs(double x) {
  return __builtin_fabs(x);
}

__PTXCC_DEVICE__ float min(float x, float y) {
  return fminf(x, y);
}
__PTXCC_DEVICE__ float max(float x, float y) {
  return fmaxf(x, y);
}
__PTXCC_DEVICE__ double min(double x, double y) {
  return fmin(x, y);
}
__PTXCC_DEVICE__ double max(double x, double y) {
  return fmax(x, y);
}
__PTXCC_DEVICE__ double min(float x, double y) {
  return fmin(static_cast<double>(x), y);
}
__PTXCC_DEVICE__ double min(double x, float y) {
  return fmin(x, static_cast<double>(y));
}
__PTXCC_DEVICE__ double max(float x, double y) {
  return fmax(static_cast<double>(x), y);
}
__PTXCC_DEVICE__ double max(double x, float y) {
  return fmax(x, static_cast<double>(y));
}

namespace std {
using ::abs;
using ::fma;
using ::fmaf;
using ::frexp;
using ::frexpf;
using ::labs;
using ::ldexp;
using ::ldexpf;
using ::llabs;
using ::modf;
using ::modff;
using ::nan;
using ::nanf;
using ::remquo;
using ::remquof;
using ::scalbln;
using ::scalbn;
}  // namespace std

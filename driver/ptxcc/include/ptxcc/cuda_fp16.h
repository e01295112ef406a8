// SPDX-License-Identifier: MIT
// __half and __half2: storage, conversions, arithmetic, comparisons, atomics; a subset of CUDA's cuda_fp16.h.
//
// Bits in an unsigned short, each operation one PTX instruction, as the hardware has it; no type of the
// compiler's is needed. The host computes in float, and what it rounds is rounded once. bfloat16 is in
// cuda_bf16.h.
#pragma once
#include "prelude.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};

#define __PTXCC_HALF_TO(name, type, out, instruction)                 \
  __PTXCC_DEVICE__ type __ptxcc_half_##name(unsigned short bits) {    \
    type result;                                                      \
    asm("cvt." instruction " %0, %1;" : "=" out(result) : "h"(bits)); \
    return result;                                                    \
  }
#define __PTXCC_TO_HALF(name, type, in, instruction)             \
  __PTXCC_DEVICE__ unsigned short __ptxcc_##name(type value) {   \
    unsigned short bits;                                         \
    asm("cvt." instruction " %0, %1;" : "=h"(bits) : in(value)); \
    return bits;                                                 \
  }
__PTXCC_HALF_TO(float, float, "f", "f32.f16")
__PTXCC_HALF_TO(int_rz, int, "r", "rzi.s32.f16")
__PTXCC_HALF_TO(int_rn, int, "r", "rni.s32.f16")
__PTXCC_HALF_TO(uint_rn, unsigned int, "r", "rni.u32.f16")
__PTXCC_TO_HALF(float_half_rn, float, "f", "rn.f16.f32")
__PTXCC_TO_HALF(float_half_rz, float, "f", "rz.f16.f32")
__PTXCC_TO_HALF(double_half, double, "d", "rn.f16.f64")
__PTXCC_TO_HALF(int_half, int, "r", "rn.f16.s32")
__PTXCC_TO_HALF(uint_half, unsigned int, "r", "rn.f16.u32")
#undef __PTXCC_HALF_TO
#undef __PTXCC_TO_HALF

// The nearest half, the even one of two; a float and an int are exact as a double.
__PTXCC_BOTH__ unsigned short __ptxcc_nearest_half(double value) {
  const unsigned long long bits = __builtin_bit_cast(unsigned long long, value);
  const unsigned short sign = static_cast<unsigned short>(bits >> 48 & 0x8000u);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff) - 1023;
  unsigned long long fraction = bits & 0xfffffffffffffull;
  if (exponent == 1024 && fraction != 0) return 0x7fff;
  if (exponent >= 16) return sign | 0x7c00u;
  if (exponent < -25) return sign;
  // What is cut off: the bits below a half's, more of them where it is subnormal.
  const int cut = exponent < -14 ? 42 + (-14 - exponent) : 42;
  fraction |= 1ull << 52;
  unsigned long long kept = fraction >> cut;
  const unsigned long long rest = fraction & ((1ull << cut) - 1), tie = 1ull << (cut - 1);
  if (rest > tie || (rest == tie && (kept & 1) != 0)) ++kept;
  // The leading one counts up the exponent.
  return static_cast<unsigned short>(
      sign + (exponent < -14 ? kept : kept + (static_cast<unsigned>(exponent + 14) << 10)));
}
__PTXCC_BOTH__ float __ptxcc_float_of_half(unsigned short bits) {
#ifdef __CUDA_ARCH__
  return __ptxcc_half_float(bits);
#else
  const unsigned int sign = (bits & 0x8000u) << 16, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ffu;
  if (exponent == 0) {
    const float value = static_cast<float>(fraction) * 0x1p-24f;
    return sign != 0 ? -value : value;
  }
  return __builtin_bit_cast(
      float, sign | (exponent == 0x1f ? 0x7f800000u : (exponent + 112) << 23) | fraction << 13);
#endif
}
#ifdef __CUDA_ARCH__
#define __PTXCC_ROUNDED(on_device, value) on_device
#else
#define __PTXCC_ROUNDED(on_device, value) __ptxcc_nearest_half(static_cast<double>(value))
#endif
struct __align__(2) __half {
  unsigned short __x;
  __half() = default;
  __host__ __device__ __half(float value) : __x(__PTXCC_ROUNDED(__ptxcc_float_half_rn(value), value)) {}
  __host__ __device__ __half(double value) : __x(__PTXCC_ROUNDED(__ptxcc_double_half(value), value)) {}
  __host__ __device__ __half(int value) : __x(__PTXCC_ROUNDED(__ptxcc_int_half(value), value)) {}
  __host__ __device__ __half(unsigned int value) : __x(__PTXCC_ROUNDED(__ptxcc_uint_half(value), value)) {}
  __host__ __device__ __half(short value) : __half(static_cast<int>(value)) {}
  __host__ __device__ __half(unsigned short value) : __half(static_cast<unsigned int>(value)) {}
  // More than 65519 is infinite, and what a double loses of such numbers does not matter.
  __host__ __device__ __half(long value) : __half(static_cast<double>(value)) {}
  __host__ __device__ __half(unsigned long value) : __half(static_cast<double>(value)) {}
  __host__ __device__ __half(long long value) : __half(static_cast<double>(value)) {}
  __host__ __device__ __half(unsigned long long value) : __half(static_cast<double>(value)) {}
  __host__ __device__ constexpr __half(__half_raw raw) : __x(raw.x) {}
  __host__ __device__ operator float() const { return __ptxcc_float_of_half(__x); }
  __host__ __device__ constexpr operator __half_raw() const { return {__x}; }
};
struct __align__(4) __half2 {
  __half x, y;
  __half2() = default;
  __host__ __device__ __half2(__half low, __half high) : x(low), y(high) {}
};
typedef __half half;
typedef __half2 half2;

__PTXCC_BOTH__ __half __ptxcc_half(unsigned short bits) {
  return __half(__half_raw{bits});
}
__PTXCC_BOTH__ unsigned int __ptxcc_pair(__half2 v) {
  return static_cast<unsigned int>(v.y.__x) << 16 | v.x.__x;
}
__PTXCC_BOTH__ __half2 __ptxcc_half2(unsigned int bits) {
  return {__ptxcc_half(static_cast<unsigned short>(bits)),
          __ptxcc_half(static_cast<unsigned short>(bits >> 16))};
}

__PTXCC_BOTH__ float __half2float(__half a) {
  return __ptxcc_float_of_half(a.__x);
}
__PTXCC_BOTH__ __half __float2half(float a) {
  return __half(a);
}
__PTXCC_BOTH__ __half __float2half_rn(float a) {
  return __half(a);
}
__PTXCC_DEVICE__ __half __float2half_rz(float a) {
  return __ptxcc_half(__ptxcc_float_half_rz(a));
}
__PTXCC_BOTH__ __half __double2half(double a) {
  return __half(a);
}
__PTXCC_BOTH__ __half __int2half_rn(int a) {
  return __half(a);
}
__PTXCC_BOTH__ __half __uint2half_rn(unsigned int a) {
  return __half(a);
}
__PTXCC_DEVICE__ int __half2int_rz(__half a) {
  return __ptxcc_half_int_rz(a.__x);
}
__PTXCC_DEVICE__ int __half2int_rn(__half a) {
  return __ptxcc_half_int_rn(a.__x);
}
__PTXCC_DEVICE__ unsigned int __half2uint_rn(__half a) {
  return __ptxcc_half_uint_rn(a.__x);
}
__PTXCC_BOTH__ unsigned short __half_as_ushort(__half a) {
  return a.__x;
}
__PTXCC_BOTH__ short __half_as_short(__half a) {
  return static_cast<short>(a.__x);
}
__PTXCC_BOTH__ __half __ushort_as_half(unsigned short a) {
  return __ptxcc_half(a);
}
__PTXCC_BOTH__ __half __short_as_half(short a) {
  return __ptxcc_half(static_cast<unsigned short>(a));
}
__PTXCC_BOTH__ __half2 __halves2half2(__half low, __half high) {
  return {low, high};
}
__PTXCC_BOTH__ __half2 make_half2(__half low, __half high) {
  return {low, high};
}
__PTXCC_BOTH__ __half2 __half2half2(__half a) {
  return {a, a};
}
__PTXCC_BOTH__ __half2 __float2half2_rn(float a) {
  return {__half(a), __half(a)};
}
__PTXCC_BOTH__ __half2 __floats2half2_rn(float low, float high) {
  return {__half(low), __half(high)};
}
__PTXCC_BOTH__ __half2 __float22half2_rn(float2 a) {
  return {__half(a.x), __half(a.y)};
}
__PTXCC_BOTH__ float2 __half22float2(__half2 a) {
  return make_float2(__half2float(a.x), __half2float(a.y));
}
__PTXCC_BOTH__ __half __low2half(__half2 a) {
  return a.x;
}
__PTXCC_BOTH__ __half __high2half(__half2 a) {
  return a.y;
}
__PTXCC_BOTH__ float __low2float(__half2 a) {
  return __half2float(a.x);
}
__PTXCC_BOTH__ float __high2float(__half2 a) {
  return __half2float(a.y);
}
__PTXCC_BOTH__ __half2 __lowhigh2highlow(__half2 a) {
  return {a.y, a.x};
}

// `of_floats`: what the host computes, of floats a and b.
#ifdef __CUDA_ARCH__
#define __PTXCC_HALF_BINARY(name, instruction, of_floats)                                            \
  __PTXCC_DEVICE__ __half __h##name(__half a, __half b) {                                            \
    unsigned short bits;                                                                             \
    asm(instruction ".f16 %0, %1, %2;" : "=h"(bits) : "h"(a.__x), "h"(b.__x));                       \
    return __ptxcc_half(bits);                                                                       \
  }                                                                                                  \
  __PTXCC_DEVICE__ __half2 __h##name##2(__half2 a, __half2 b) {                                      \
    unsigned int bits;                                                                               \
    asm(instruction ".f16x2 %0, %1, %2;" : "=r"(bits) : "r"(__ptxcc_pair(a)), "r"(__ptxcc_pair(b))); \
    return __ptxcc_half2(bits);                                                                      \
  }
#else
#define __PTXCC_HALF_BINARY(name, instruction, of_floats)     \
  __PTXCC_BOTH__ __half __h##name(__half x, __half y) {       \
    const float a = __half2float(x), b = __half2float(y);     \
    return __half(of_floats);                                 \
  }                                                           \
  __PTXCC_BOTH__ __half2 __h##name##2(__half2 a, __half2 b) { \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};        \
  }
#endif
__PTXCC_HALF_BINARY(add, "add.rn", a + b)
__PTXCC_HALF_BINARY(sub, "sub.rn", a - b)
__PTXCC_HALF_BINARY(mul, "mul.rn", a* b)
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
__PTXCC_HALF_BINARY(max, "max", __builtin_fmaxf(a, b))
__PTXCC_HALF_BINARY(min, "min", __builtin_fminf(a, b))
#else
__PTXCC_DEVICE__ __half __hmax(__half a, __half b) {
  return __half(fmaxf(__half2float(a), __half2float(b)));
}
__PTXCC_DEVICE__ __half __hmin(__half a, __half b) {
  return __half(fminf(__half2float(a), __half2float(b)));
}
__PTXCC_DEVICE__ __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
__PTXCC_DEVICE__ __half2 __hmin2(__half2 a, __half2 b) {
  return {__hmin(a.x, b.x), __hmin(a.y, b.y)};
}
#endif
#undef __PTXCC_HALF_BINARY
#ifdef __CUDA_ARCH__
__PTXCC_DEVICE__ __half __hfma(__half a, __half b, __half c) {
  unsigned short bits;
  asm("fma.rn.f16 %0, %1, %2, %3;" : "=h"(bits) : "h"(a.__x), "h"(b.__x), "h"(c.__x));
  return __ptxcc_half(bits);
}
__PTXCC_DEVICE__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  unsigned int bits;
  asm("fma.rn.f16x2 %0, %1, %2, %3;"
      : "=r"(bits)
      : "r"(__ptxcc_pair(a)), "r"(__ptxcc_pair(b)), "r"(__ptxcc_pair(c)));
  return __ptxcc_half2(bits);
}
#else
// A product of halves and a half are exact in a double, and their sum nearly so.
__PTXCC_BOTH__ __half __hfma(__half a, __half b, __half c) {
  return __half(static_cast<double>(__half2float(a)) * __half2float(b) + __half2float(c));
}
__PTXCC_BOTH__ __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
#endif
// The quotient of floats has more than twice the bits: rounded once.
__PTXCC_BOTH__ __half __hdiv(__half a, __half b) {
  return __half(__half2float(a) / __half2float(b));
}
__PTXCC_BOTH__ __half2 __h2div(__half2 a, __half2 b) {
  return {__hdiv(a.x, b.x), __hdiv(a.y, b.y)};
}
__PTXCC_BOTH__ __half __hneg(__half a) {
  return __ptxcc_half(a.__x ^ 0x8000u);
}
__PTXCC_BOTH__ __half __habs(__half a) {
  return __ptxcc_half(a.__x & 0x7fffu);
}
__PTXCC_BOTH__ __half2 __hneg2(__half2 a) {
  return {__hneg(a.x), __hneg(a.y)};
}
__PTXCC_BOTH__ __half2 __habs2(__half2 a) {
  return {__habs(a.x), __habs(a.y)};
}

#define __PTXCC_HALF_COMPARE(name, operation)                  \
  __PTXCC_BOTH__ bool __h##name(__half a, __half b) {          \
    return __half2float(a) operation __half2float(b);          \
  }                                                            \
  __PTXCC_BOTH__ bool operator operation(__half a, __half b) { \
    return __h##name(a, b);                                    \
  }
__PTXCC_HALF_COMPARE(eq, ==)
__PTXCC_HALF_COMPARE(ne, !=)
__PTXCC_HALF_COMPARE(lt, <)
__PTXCC_HALF_COMPARE(le, <=)
__PTXCC_HALF_COMPARE(gt, >)
__PTXCC_HALF_COMPARE(ge, >=)
#undef __PTXCC_HALF_COMPARE
__PTXCC_BOTH__ bool __hisnan(__half a) {
  return (a.__x & 0x7fffu) > 0x7c00u;
}
__PTXCC_BOTH__ int __hisinf(__half a) {
  return (a.__x & 0x7fffu) == 0x7c00u ? ((a.__x >> 15) != 0 ? -1 : 1) : 0;
}

#define __PTXCC_HALF_OPERATOR(operation, name, name2)                     \
  __PTXCC_BOTH__ __half operator operation(__half a, __half b) {          \
    return name(a, b);                                                    \
  }                                                                       \
  __PTXCC_BOTH__ __half2 operator operation(__half2 a, __half2 b) {       \
    return name2(a, b);                                                   \
  }                                                                       \
  __PTXCC_BOTH__ __half& operator operation##=(__half & a, __half b) {    \
    return a = name(a, b);                                                \
  }                                                                       \
  __PTXCC_BOTH__ __half2& operator operation##=(__half2 & a, __half2 b) { \
    return a = name2(a, b);                                               \
  }
__PTXCC_HALF_OPERATOR(+, __hadd, __hadd2)
__PTXCC_HALF_OPERATOR(-, __hsub, __hsub2)
__PTXCC_HALF_OPERATOR(*, __hmul, __hmul2)
__PTXCC_HALF_OPERATOR(/, __hdiv, __h2div)
#undef __PTXCC_HALF_OPERATOR
__PTXCC_BOTH__ __half operator-(__half a) {
  return __hneg(a);
}
__PTXCC_BOTH__ __half2 operator-(__half2 a) {
  return __hneg2(a);
}

// By way of float, rounded once more.
#define __PTXCC_HALF_FUNCTION(name, function)                     \
  __PTXCC_DEVICE__ __half h##name(__half a) {                     \
    return __half(static_cast<float>(function(__half2float(a)))); \
  }                                                               \
  __PTXCC_DEVICE__ __half2 h2##name(__half2 a) {                  \
    return {h##name(a.x), h##name(a.y)};                          \
  }
__PTXCC_HALF_FUNCTION(sqrt, __fsqrt_rn)
__PTXCC_HALF_FUNCTION(rsqrt, __frsqrt_rn)
__PTXCC_HALF_FUNCTION(rcp, __frcp_rn)
__PTXCC_HALF_FUNCTION(exp, expf)
__PTXCC_HALF_FUNCTION(exp2, exp2f)
__PTXCC_HALF_FUNCTION(exp10, exp10f)
__PTXCC_HALF_FUNCTION(log, logf)
__PTXCC_HALF_FUNCTION(log2, log2f)
__PTXCC_HALF_FUNCTION(log10, log10f)
__PTXCC_HALF_FUNCTION(sin, sinf)
__PTXCC_HALF_FUNCTION(cos, cosf)
__PTXCC_HALF_FUNCTION(floor, floorf)
__PTXCC_HALF_FUNCTION(ceil, ceilf)
__PTXCC_HALF_FUNCTION(trunc, truncf)
__PTXCC_HALF_FUNCTION(rint, rintf)
#undef __PTXCC_HALF_FUNCTION

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__PTXCC_DEVICE__ __half atomicAdd(__half* address, __half value) {
  unsigned short old;
  asm volatile("atom.add.noftz.f16 %0, [%1], %2;" : "=h"(old) : "l"(address), "h"(value.__x) : "memory");
  return __ptxcc_half(old);
}
#endif
__PTXCC_DEVICE__ __half2 atomicAdd(__half2* address, __half2 value) {
  unsigned int old;
  asm volatile("atom.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old)
               : "l"(address), "r"(__ptxcc_pair(value))
               : "memory");
  return __ptxcc_half2(old);
}
#undef __PTXCC_ROUNDED

// SPDX-License-Identifier: MIT
// __nv_bfloat16 and __nv_bfloat162: storage, conversions, arithmetic, comparisons; a subset of CUDA's
// cuda_bf16.h.
//
// Computed in float and rounded once to nearest even, on every architecture and on the host: a float has more
// than twice the bits, so that sums, products and quotients are those of the hardware. Does not need half.
#pragma once
#include "prelude.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
__PTXCC_BOTH__ unsigned short __ptxcc_to_bfloat(float value) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fffu;
  return static_cast<unsigned short>((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}
// To a float first that has a last bit of 1 if anything was lost: rounding that one again is rounding once.
__PTXCC_BOTH__ unsigned short __ptxcc_to_bfloat(double value) {
  const float near = static_cast<float>(value);
  unsigned int bits = __builtin_bit_cast(unsigned int, near);
  const double magnitude = value < 0 ? -value : value, kept = near < 0 ? -static_cast<double>(near) : near;
  if (kept > magnitude) --bits;
  if (kept != magnitude && value == value) bits |= 1;
  return __ptxcc_to_bfloat(__builtin_bit_cast(float, bits));
}
// As exact as a double is, with the same mark.
__PTXCC_BOTH__ double __ptxcc_marked(unsigned long long value) {
  const unsigned long long lost = 2047;
  return static_cast<double>(value >> 53 == 0 ? value : (value & ~lost) | ((value & lost) != 0 ? 2048 : 0));
}
struct __align__(2) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float value) : __x(__ptxcc_to_bfloat(value)) {}
  __host__ __device__ __nv_bfloat16(double value) : __x(__ptxcc_to_bfloat(value)) {}
  __host__ __device__ __nv_bfloat16(int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned int value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __device__ __nv_bfloat16(short value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned short value) : __nv_bfloat16(static_cast<double>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned long long value) : __nv_bfloat16(__ptxcc_marked(value)) {}
  __host__ __device__ __nv_bfloat16(long long value)
      : __nv_bfloat16(value < 0 ? -__ptxcc_marked(0 - static_cast<unsigned long long>(value))
                                : __ptxcc_marked(static_cast<unsigned long long>(value))) {}
  __host__ __device__ __nv_bfloat16(long value) : __nv_bfloat16(static_cast<long long>(value)) {}
  __host__ __device__ __nv_bfloat16(unsigned long value)
      : __nv_bfloat16(static_cast<unsigned long long>(value)) {}
  __host__ __device__ constexpr __nv_bfloat16(__nv_bfloat16_raw raw) : __x(raw.x) {}
  __host__ __device__ operator float() const {
    return __builtin_bit_cast(float, static_cast<unsigned int>(__x) << 16);
  }
};
struct __align__(4) __nv_bfloat162 {
  __nv_bfloat16 x, y;
};
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

__PTXCC_BOTH__ float __bfloat162float(__nv_bfloat16 a) {
  return a;
}
__PTXCC_BOTH__ __nv_bfloat16 __float2bfloat16(float a) {
  return {a};
}
__PTXCC_BOTH__ __nv_bfloat16 __float2bfloat16_rn(float a) {
  return {a};
}
__PTXCC_BOTH__ __nv_bfloat162 __floats2bfloat162_rn(float low, float high) {
  return {{low}, {high}};
}
__PTXCC_BOTH__ __nv_bfloat162 __float2bfloat162_rn(float a) {
  return {{a}, {a}};
}
__PTXCC_BOTH__ float2 __bfloat1622float2(__nv_bfloat162 a) {
  return make_float2(a.x, a.y);
}
__PTXCC_BOTH__ __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 low, __nv_bfloat16 high) {
  return {low, high};
}
__PTXCC_BOTH__ unsigned short __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.__x;
}
__PTXCC_BOTH__ __nv_bfloat16 __ushort_as_bfloat16(unsigned short a) {
  return __nv_bfloat16(__nv_bfloat16_raw{a});
}

__PTXCC_BOTH__ short __bfloat16_as_short(__nv_bfloat16 a) {
  return static_cast<short>(a.__x);
}
__PTXCC_BOTH__ __nv_bfloat16 __short_as_bfloat16(short a) {
  return __ushort_as_bfloat16(static_cast<unsigned short>(a));
}
__PTXCC_BOTH__ __nv_bfloat16 __double2bfloat16(double a) {
  return {a};
}
__PTXCC_BOTH__ __nv_bfloat16 __float2bfloat16_rz(float a) {
  const unsigned int bits = __builtin_bit_cast(unsigned int, a);
  return a != a ? __nv_bfloat16(a) : __ushort_as_bfloat16(static_cast<unsigned short>(bits >> 16));
}
__PTXCC_BOTH__ __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 a) {
  return {a, a};
}
__PTXCC_BOTH__ __nv_bfloat162 make_bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) {
  return {x, y};
}
__PTXCC_BOTH__ __nv_bfloat162 __float22bfloat162_rn(float2 a) {
  return {{a.x}, {a.y}};
}
__PTXCC_BOTH__ __nv_bfloat16 __low2bfloat16(__nv_bfloat162 a) {
  return a.x;
}
__PTXCC_BOTH__ __nv_bfloat16 __high2bfloat16(__nv_bfloat162 a) {
  return a.y;
}
__PTXCC_BOTH__ __nv_bfloat162 __low2bfloat162(__nv_bfloat162 a) {
  return {a.x, a.x};
}
__PTXCC_BOTH__ __nv_bfloat162 __high2bfloat162(__nv_bfloat162 a) {
  return {a.y, a.y};
}
__PTXCC_BOTH__ __nv_bfloat162 __lowhigh2highlow(__nv_bfloat162 a) {
  return {a.y, a.x};
}
__PTXCC_BOTH__ float __low2float(__nv_bfloat162 a) {
  return a.x;
}
__PTXCC_BOTH__ float __high2float(__nv_bfloat162 a) {
  return a.y;
}
// Whole numbers: to the nearest and to zero; from one, to the nearest.
#define __PTXCC_BFLOAT_INTEGER(name, type, by)                    \
  __PTXCC_DEVICE__ type __bfloat162##name##_rn(__nv_bfloat16 a) { \
    return static_cast<type>(__float2##by##_rn(a));               \
  }                                                               \
  __PTXCC_DEVICE__ type __bfloat162##name##_rz(__nv_bfloat16 a) { \
    return static_cast<type>(__float2##by##_rz(a));               \
  }                                                               \
  __PTXCC_DEVICE__ type __bfloat162##name##_rd(__nv_bfloat16 a) { \
    return static_cast<type>(__float2##by##_rd(a));               \
  }                                                               \
  __PTXCC_DEVICE__ type __bfloat162##name##_ru(__nv_bfloat16 a) { \
    return static_cast<type>(__float2##by##_ru(a));               \
  }                                                               \
  __PTXCC_BOTH__ __nv_bfloat16 __##name##2bfloat16_rn(type a) {   \
    return {a};                                                   \
  }
__PTXCC_BFLOAT_INTEGER(int, int, int)
__PTXCC_BFLOAT_INTEGER(uint, unsigned int, uint)
__PTXCC_BFLOAT_INTEGER(ll, long long, ll)
__PTXCC_BFLOAT_INTEGER(ull, unsigned long long, ull)
#undef __PTXCC_BFLOAT_INTEGER

#define __PTXCC_BFLOAT_BINARY(name, operation)                                              \
  __PTXCC_BOTH__ __nv_bfloat16 __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {                \
    return {static_cast<float>(a) operation static_cast<float>(b)};                         \
  }                                                                                         \
  __PTXCC_BOTH__ __nv_bfloat162 __h##name##2(__nv_bfloat162 a, __nv_bfloat162 b) {          \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                                      \
  }                                                                                         \
  __PTXCC_BOTH__ __nv_bfloat16 operator operation(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    return __h##name(a, b);                                                                 \
  }                                                                                         \
  __PTXCC_BOTH__ __nv_bfloat162 operator operation(__nv_bfloat162 a, __nv_bfloat162 b) {    \
    return __h##name##2(a, b);                                                              \
  }                                                                                         \
  __PTXCC_BOTH__ __nv_bfloat16& operator operation##=(__nv_bfloat16 & a, __nv_bfloat16 b) { \
    return a = __h##name(a, b);                                                             \
  }
__PTXCC_BFLOAT_BINARY(add, +)
__PTXCC_BFLOAT_BINARY(sub, -)
__PTXCC_BFLOAT_BINARY(mul, *)
__PTXCC_BFLOAT_BINARY(div, /)
#undef __PTXCC_BFLOAT_BINARY
#define __PTXCC_BFLOAT_COMPARE(name, operation)                              \
  __PTXCC_BOTH__ bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {          \
    return static_cast<float>(a) operation static_cast<float>(b);            \
  }                                                                          \
  __PTXCC_BOTH__ bool operator operation(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return __h##name(a, b);                                                  \
  }
__PTXCC_BFLOAT_COMPARE(eq, ==)
__PTXCC_BFLOAT_COMPARE(ne, !=)
__PTXCC_BFLOAT_COMPARE(lt, <)
__PTXCC_BFLOAT_COMPARE(le, <=)
__PTXCC_BFLOAT_COMPARE(gt, >)
__PTXCC_BFLOAT_COMPARE(ge, >=)
#undef __PTXCC_BFLOAT_COMPARE
__PTXCC_BOTH__ __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(a.__x ^ 0x8000u);
}
__PTXCC_BOTH__ __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(a.__x & 0x7fffu);
}
__PTXCC_BOTH__ __nv_bfloat16 operator-(__nv_bfloat16 a) {
  return __hneg(a);
}
__PTXCC_BOTH__ bool __hisnan(__nv_bfloat16 a) {
  return (a.__x & 0x7fffu) > 0x7f80u;
}
__PTXCC_BOTH__ int __hisinf(__nv_bfloat16 a) {
  return (a.__x & 0x7fffu) == 0x7f80u ? ((a.__x >> 15) != 0 ? -1 : 1) : 0;
}
// A product of two is exact in a float, and in a double nearly every sum of it and a third.
__PTXCC_BOTH__ __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return {static_cast<double>(static_cast<float>(a)) * static_cast<float>(b) + static_cast<float>(c)};
}
__PTXCC_BOTH__ __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
__PTXCC_BOTH__ __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return {__builtin_fmaxf(a, b)};
}
__PTXCC_BOTH__ __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return {__builtin_fminf(a, b)};
}

// By way of float, rounded once more.
#define __PTXCC_BFLOAT_FUNCTION(name, function)                   \
  __PTXCC_DEVICE__ __nv_bfloat16 h##name(__nv_bfloat16 a) {       \
    return {static_cast<float>(function(static_cast<float>(a)))}; \
  }                                                               \
  __PTXCC_DEVICE__ __nv_bfloat162 h2##name(__nv_bfloat162 a) {    \
    return {h##name(a.x), h##name(a.y)};                          \
  }
__PTXCC_BFLOAT_FUNCTION(sqrt, __fsqrt_rn)
__PTXCC_BFLOAT_FUNCTION(rsqrt, __frsqrt_rn)
__PTXCC_BFLOAT_FUNCTION(rcp, __frcp_rn)
__PTXCC_BFLOAT_FUNCTION(exp, expf)
__PTXCC_BFLOAT_FUNCTION(exp2, exp2f)
__PTXCC_BFLOAT_FUNCTION(exp10, exp10f)
__PTXCC_BFLOAT_FUNCTION(log, logf)
__PTXCC_BFLOAT_FUNCTION(log2, log2f)
__PTXCC_BFLOAT_FUNCTION(log10, log10f)
__PTXCC_BFLOAT_FUNCTION(sin, sinf)
__PTXCC_BFLOAT_FUNCTION(cos, cosf)
__PTXCC_BFLOAT_FUNCTION(floor, floorf)
__PTXCC_BFLOAT_FUNCTION(ceil, ceilf)
__PTXCC_BFLOAT_FUNCTION(trunc, truncf)
__PTXCC_BFLOAT_FUNCTION(rint, rintf)
#undef __PTXCC_BFLOAT_FUNCTION

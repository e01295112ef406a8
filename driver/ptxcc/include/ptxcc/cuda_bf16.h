// SPDX-License-Identifier: MIT
// __nv_bfloat16 and __nv_bfloat162: storage, conversions, arithmetic, comparisons; a subset of CUDA's
// cuda_bf16.h.
//
// Computed in float and rounded once to nearest even, on every architecture: a float has more than twice the
// bits, so that sums, products and quotients are those of the hardware. Does not need half.
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
struct __align__(2) __nv_bfloat16 {
  unsigned short __x;
  __nv_bfloat16() = default;
  __host__ __device__ __nv_bfloat16(float value) : __x(__ptxcc_to_bfloat(value)) {}
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
__PTXCC_DEVICE__ float2 __bfloat1622float2(__nv_bfloat162 a) {
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

#define __PTXCC_BFLOAT_BINARY(name, operation)                                                \
  __PTXCC_DEVICE__ __nv_bfloat16 __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {                \
    return {__f##name##_rn(a, b)};                                                            \
  }                                                                                           \
  __PTXCC_DEVICE__ __nv_bfloat162 __h##name##2(__nv_bfloat162 a, __nv_bfloat162 b) {          \
    return {__h##name(a.x, b.x), __h##name(a.y, b.y)};                                        \
  }                                                                                           \
  __PTXCC_DEVICE__ __nv_bfloat16 operator operation(__nv_bfloat16 a, __nv_bfloat16 b) {       \
    return __h##name(a, b);                                                                   \
  }                                                                                           \
  __PTXCC_DEVICE__ __nv_bfloat162 operator operation(__nv_bfloat162 a, __nv_bfloat162 b) {    \
    return __h##name##2(a, b);                                                                \
  }                                                                                           \
  __PTXCC_DEVICE__ __nv_bfloat16& operator operation##=(__nv_bfloat16 & a, __nv_bfloat16 b) { \
    return a = __h##name(a, b);                                                               \
  }
__PTXCC_BFLOAT_BINARY(add, +)
__PTXCC_BFLOAT_BINARY(sub, -)
__PTXCC_BFLOAT_BINARY(mul, *)
__PTXCC_BFLOAT_BINARY(div, /)
#undef __PTXCC_BFLOAT_BINARY
#define __PTXCC_BFLOAT_COMPARE(name, operation)                                \
  __PTXCC_DEVICE__ bool __h##name(__nv_bfloat16 a, __nv_bfloat16 b) {          \
    return static_cast<float>(a) operation static_cast<float>(b);              \
  }                                                                            \
  __PTXCC_DEVICE__ bool operator operation(__nv_bfloat16 a, __nv_bfloat16 b) { \
    return __h##name(a, b);                                                    \
  }
__PTXCC_BFLOAT_COMPARE(eq, ==)
__PTXCC_BFLOAT_COMPARE(ne, !=)
__PTXCC_BFLOAT_COMPARE(lt, <)
__PTXCC_BFLOAT_COMPARE(le, <=)
__PTXCC_BFLOAT_COMPARE(gt, >)
__PTXCC_BFLOAT_COMPARE(ge, >=)
#undef __PTXCC_BFLOAT_COMPARE
__PTXCC_DEVICE__ __nv_bfloat16 __hneg(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(a.__x ^ 0x8000u);
}
__PTXCC_DEVICE__ __nv_bfloat16 __habs(__nv_bfloat16 a) {
  return __ushort_as_bfloat16(a.__x & 0x7fffu);
}
__PTXCC_DEVICE__ __nv_bfloat16 operator-(__nv_bfloat16 a) {
  return __hneg(a);
}

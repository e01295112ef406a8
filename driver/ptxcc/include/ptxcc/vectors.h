// SPDX-License-Identifier: MIT
// The vector types (float4, uchar2, …), their make_ functions and dim3, with the sizes and alignments that
// CUDA gives them, because kernels take them as parameters. Needs only the qualifiers.
#pragma once
#include "qualifiers.h"

#define __PTXCC_VECTORS(name, type, align2, align4)                                 \
  struct name##1 {                                                                  \
    type x;                                                                         \
  };                                                                                \
  struct __align__(align2) name##2 {                                                \
    type x, y;                                                                      \
  };                                                                                \
  struct name##3 {                                                                  \
    type x, y, z;                                                                   \
  };                                                                                \
  struct __align__(align4) name##4 {                                                \
    type x, y, z, w;                                                                \
  };                                                                                \
  __PTXCC_BOTH__ constexpr name##1 make_##name##1(type x) {                         \
    return {x};                                                                     \
  }                                                                                 \
  __PTXCC_BOTH__ constexpr name##2 make_##name##2(type x, type y) {                 \
    return {x, y};                                                                  \
  }                                                                                 \
  __PTXCC_BOTH__ constexpr name##3 make_##name##3(type x, type y, type z) {         \
    return {x, y, z};                                                               \
  }                                                                                 \
  __PTXCC_BOTH__ constexpr name##4 make_##name##4(type x, type y, type z, type w) { \
    return {x, y, z, w};                                                            \
  }

__PTXCC_VECTORS(char, signed char, 2, 4)
__PTXCC_VECTORS(uchar, unsigned char, 2, 4)
__PTXCC_VECTORS(short, short, 4, 8)
__PTXCC_VECTORS(ushort, unsigned short, 4, 8)
__PTXCC_VECTORS(int, int, 8, 16)
__PTXCC_VECTORS(uint, unsigned int, 8, 16)
__PTXCC_VECTORS(long, long, 16, 16)
__PTXCC_VECTORS(ulong, unsigned long, 16, 16)
__PTXCC_VECTORS(longlong, long long, 16, 16)
__PTXCC_VECTORS(ulonglong, unsigned long long, 16, 16)
__PTXCC_VECTORS(float, float, 8, 16)
__PTXCC_VECTORS(double, double, 16, 16)
#undef __PTXCC_VECTORS

// Four of 8 bytes, with the alignment in the name.
#define __PTXCC_ALIGNED(name, type, bytes)                                                                \
  struct __align__(bytes) name##4_##bytes##a {                                                            \
    type x, y, z, w;                                                                                      \
  };                                                                                                      \
  __PTXCC_BOTH__ constexpr name##4_##bytes##a make_##name##4_##bytes##a(type x, type y, type z, type w) { \
    return {x, y, z, w};                                                                                  \
  }
#define __PTXCC_ALIGNED_BOTH(name, type) __PTXCC_ALIGNED(name, type, 16) __PTXCC_ALIGNED(name, type, 32)
__PTXCC_ALIGNED_BOTH(long, long)
__PTXCC_ALIGNED_BOTH(ulong, unsigned long)
__PTXCC_ALIGNED_BOTH(longlong, long long)
__PTXCC_ALIGNED_BOTH(ulonglong, unsigned long long)
__PTXCC_ALIGNED_BOTH(double, double)
#undef __PTXCC_ALIGNED_BOTH
#undef __PTXCC_ALIGNED

struct dim3 {
  unsigned int x, y, z;
  __attribute__((host, device)) constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
      : x(x), y(y), z(z) {}
  __attribute__((host, device)) constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __attribute__((host, device)) constexpr operator uint3() const { return {x, y, z}; }
};

// SPDX-License-Identifier: MIT
// float4, uchar2 and their relatives, and dim3, with the sizes and alignments that kernels expect of them.
//
// The kernel compiler has its own definitions, which device code can use; these are the same for a plain C or
// C++ compiler. Does not depend on the runtime.
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#include "host_defines.h"

#ifdef __DRIVERLAB_PTXCC__
#include "ptxcc/vectors.h"
#else

#define DRIVERLAB_VECTORS(name, element, align2, align4) \
  typedef struct name##1 {                               \
    element x;                                           \
  }                                                      \
  name##1;                                               \
  typedef struct __align__(align2) name##2 {             \
    element x, y;                                        \
  }                                                      \
  name##2;                                               \
  typedef struct name##3 {                               \
    element x, y, z;                                     \
  }                                                      \
  name##3;                                               \
  typedef struct __align__(align4) name##4 {             \
    element x, y, z, w;                                  \
  }                                                      \
  name##4;

DRIVERLAB_VECTORS(char, signed char, 2, 4)
DRIVERLAB_VECTORS(uchar, unsigned char, 2, 4)
DRIVERLAB_VECTORS(short, short, 4, 8)
DRIVERLAB_VECTORS(ushort, unsigned short, 4, 8)
DRIVERLAB_VECTORS(int, int, 8, 16)
DRIVERLAB_VECTORS(uint, unsigned int, 8, 16)
DRIVERLAB_VECTORS(long, long, 16, 16)
DRIVERLAB_VECTORS(ulong, unsigned long, 16, 16)
DRIVERLAB_VECTORS(longlong, long long, 16, 16)
DRIVERLAB_VECTORS(ulonglong, unsigned long long, 16, 16)
DRIVERLAB_VECTORS(float, float, 8, 16)
DRIVERLAB_VECTORS(double, double, 16, 16)
#undef DRIVERLAB_VECTORS

// Four of 8 bytes, with the alignment in the name.
#define DRIVERLAB_ALIGNED(name, element, bytes)        \
  typedef struct __align__(bytes) name##4_##bytes##a { \
    element x, y, z, w;                                \
  }                                                    \
  name##4_##bytes##a;
#define DRIVERLAB_ALIGNED_BOTH(name, element) \
  DRIVERLAB_ALIGNED(name, element, 16)        \
  DRIVERLAB_ALIGNED(name, element, 32)
DRIVERLAB_ALIGNED_BOTH(long, long)
DRIVERLAB_ALIGNED_BOTH(ulong, unsigned long)
DRIVERLAB_ALIGNED_BOTH(longlong, long long)
DRIVERLAB_ALIGNED_BOTH(ulonglong, unsigned long long)
DRIVERLAB_ALIGNED_BOTH(double, double)
#undef DRIVERLAB_ALIGNED_BOTH
#undef DRIVERLAB_ALIGNED

typedef struct dim3 {
  unsigned int x, y, z;
#ifdef __cplusplus
  constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1) : x(vx), y(vy), z(vz) {}
  constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  constexpr operator uint3() const { return uint3{x, y, z}; }
#endif
} dim3;

#endif  // __DRIVERLAB_PTXCC__
#endif  // __VECTOR_TYPES_H__

// SPDX-License-Identifier: MIT
// make_float4 and its relatives for a plain C or C++ compiler; the kernel compiler has its own.
//
// Needs only the vector types.
#ifndef __VECTOR_FUNCTIONS_H__
#define __VECTOR_FUNCTIONS_H__

#include "vector_types.h"

#ifndef __DRIVERLAB_PTXCC__
#define DRIVERLAB_MAKE(name, element)                                                \
  static inline name##1 make_##name##1(element x) {                                  \
    name##1 made = {x};                                                              \
    return made;                                                                     \
  }                                                                                  \
  static inline name##2 make_##name##2(element x, element y) {                       \
    name##2 made = {x, y};                                                           \
    return made;                                                                     \
  }                                                                                  \
  static inline name##3 make_##name##3(element x, element y, element z) {            \
    name##3 made = {x, y, z};                                                        \
    return made;                                                                     \
  }                                                                                  \
  static inline name##4 make_##name##4(element x, element y, element z, element w) { \
    name##4 made = {x, y, z, w};                                                     \
    return made;                                                                     \
  }

DRIVERLAB_MAKE(char, signed char)
DRIVERLAB_MAKE(uchar, unsigned char)
DRIVERLAB_MAKE(short, short)
DRIVERLAB_MAKE(ushort, unsigned short)
DRIVERLAB_MAKE(int, int)
DRIVERLAB_MAKE(uint, unsigned int)
DRIVERLAB_MAKE(long, long)
DRIVERLAB_MAKE(ulong, unsigned long)
DRIVERLAB_MAKE(longlong, long long)
DRIVERLAB_MAKE(ulonglong, unsigned long long)
DRIVERLAB_MAKE(float, float)
DRIVERLAB_MAKE(double, double)
#undef DRIVERLAB_MAKE
#endif  // __DRIVERLAB_PTXCC__

#endif  // __VECTOR_FUNCTIONS_H__

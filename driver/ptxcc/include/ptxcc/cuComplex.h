// SPDX-License-Identifier: MIT
// Complex numbers of CUDA's C interface: float2 and double2 with functions, for host and device.
//
// Quotients and absolute values are scaled, so that they overflow only where the result does. Written from
// the meaning of each name; does not depend on std::complex.
#pragma once
#include "prelude.h"

#include <cmath>

#define __PTXCC_COMPLEX(Complex, real, vector, f, root, size)                              \
  typedef vector Complex;                                                                  \
  __PTXCC_BOTH__ real cuCreal##f(Complex a) {                                              \
    return a.x;                                                                            \
  }                                                                                        \
  __PTXCC_BOTH__ real cuCimag##f(Complex a) {                                              \
    return a.y;                                                                            \
  }                                                                                        \
  __PTXCC_BOTH__ Complex make_##Complex(real x, real y) {                                  \
    return make_##vector(x, y);                                                            \
  }                                                                                        \
  __PTXCC_BOTH__ Complex cuConj##f(Complex a) {                                            \
    return make_##vector(a.x, -a.y);                                                       \
  }                                                                                        \
  __PTXCC_BOTH__ Complex cuCadd##f(Complex a, Complex b) {                                 \
    return make_##vector(a.x + b.x, a.y + b.y);                                            \
  }                                                                                        \
  __PTXCC_BOTH__ Complex cuCsub##f(Complex a, Complex b) {                                 \
    return make_##vector(a.x - b.x, a.y - b.y);                                            \
  }                                                                                        \
  __PTXCC_BOTH__ Complex cuCmul##f(Complex a, Complex b) {                                 \
    return make_##vector(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);                    \
  }                                                                                        \
  __PTXCC_BOTH__ Complex cuCfma##f(Complex a, Complex b, Complex c) {                      \
    return cuCadd##f(cuCmul##f(a, b), c);                                                  \
  }                                                                                        \
  __PTXCC_BOTH__ Complex cuCdiv##f(Complex a, Complex b) {                                 \
    const real scale = 1 / (size(b.x) + size(b.y));                                        \
    const real ax = a.x * scale, ay = a.y * scale, bx = b.x * scale, by = b.y * scale;     \
    const real whole = 1 / (bx * bx + by * by);                                            \
    return make_##vector((ax * bx + ay * by) * whole, (ay * bx - ax * by) * whole);        \
  }                                                                                        \
  __PTXCC_BOTH__ real cuCabs##f(Complex a) {                                               \
    const real x = size(a.x), y = size(a.y), large = x > y ? x : y, small = x > y ? y : x; \
    if (large == 0 || large - large != 0) return large == large ? large : x + y;           \
    const real ratio = small / large;                                                      \
    return large * root(1 + ratio * ratio);                                                \
  }
__PTXCC_COMPLEX(cuFloatComplex, float, float2, f, sqrtf, fabsf)
__PTXCC_COMPLEX(cuDoubleComplex, double, double2, , sqrt, fabs)
#undef __PTXCC_COMPLEX

typedef cuFloatComplex cuComplex;
__PTXCC_BOTH__ cuComplex make_cuComplex(float x, float y) {
  return make_float2(x, y);
}
__PTXCC_BOTH__ cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) {
  return make_double2(a.x, a.y);
}
__PTXCC_BOTH__ cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) {
  return make_float2(static_cast<float>(a.x), static_cast<float>(a.y));
}

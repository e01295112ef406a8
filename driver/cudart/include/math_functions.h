// SPDX-License-Identifier: MIT
// CUDA's mathematics for the host's half of a .cu file, beyond what math.h has: min and max, sincos of
// floats, sinpi, rsqrt and their relatives.
//
// Kernels have theirs in the kernel compiler's headers; a plain C++ compiler has nothing here, as with nvcc.
#ifndef __MATH_FUNCTIONS_H__
#define __MATH_FUNCTIONS_H__

#if defined(__cplusplus) && defined(__DRIVERLAB_PTXCC__)
#include <math.h>

#define __DRIVERLAB_MIN_MAX(result, first, second) \
  inline __host__ result min(first a, second b) {  \
    return fmin(a, b);                             \
  }                                                \
  inline __host__ result max(first a, second b) {  \
    return fmax(a, b);                             \
  }
__DRIVERLAB_MIN_MAX(float, float, float)
__DRIVERLAB_MIN_MAX(double, double, double)
__DRIVERLAB_MIN_MAX(double, float, double)
__DRIVERLAB_MIN_MAX(double, double, float)
#undef __DRIVERLAB_MIN_MAX

// The angle is reduced before it is multiplied by pi, where that is exact.
inline __host__ void sincospi(double x, double* sine, double* cosine) {
  const double quarters = nearbyint(2 * fmod(x, 2.0)),
               rest = (fmod(x, 2.0) - quarters / 2) * 3.14159265358979323846;
  const int quadrant = static_cast<int>(quarters) & 3;
  const double s = sin(rest), c = cos(rest);
  *sine = x == floor(x) ? copysign(0.0, x)
                        : (quadrant == 0   ? s
                           : quadrant == 1 ? c
                           : quadrant == 2 ? -s
                                           : -c);
  *cosine = (quadrant == 0 ? c : quadrant == 1 ? -s : quadrant == 2 ? -c : s) + 0.0;
}
inline __host__ void sincospi(float x, float* sine, float* cosine) {
  double s, c;
  sincospi(static_cast<double>(x), &s, &c);
  *sine = static_cast<float>(s);
  *cosine = static_cast<float>(c);
}
inline __host__ void sincospif(float x, float* sine, float* cosine) {
  sincospi(x, sine, cosine);
}
inline __host__ void sincos(float x, float* sine, float* cosine) {
  sincosf(x, sine, cosine);
}
inline __host__ double sinpi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return s;
}
inline __host__ double cospi(double x) {
  double s, c;
  sincospi(x, &s, &c);
  return c;
}
inline __host__ double rsqrt(double x) {
  return 1 / sqrt(x);
}
inline __host__ double rcbrt(double x) {
  return 1 / cbrt(x);
}
#define __DRIVERLAB_OF_FLOATS(name)                          \
  inline __host__ float name(float x) {                      \
    return static_cast<float>(name(static_cast<double>(x))); \
  }                                                          \
  inline __host__ float name##f(float x) {                   \
    return name(x);                                          \
  }
__DRIVERLAB_OF_FLOATS(sinpi)
__DRIVERLAB_OF_FLOATS(cospi)
__DRIVERLAB_OF_FLOATS(rsqrt)
__DRIVERLAB_OF_FLOATS(rcbrt)
#undef __DRIVERLAB_OF_FLOATS
#endif

#endif  // __MATH_FUNCTIONS_H__

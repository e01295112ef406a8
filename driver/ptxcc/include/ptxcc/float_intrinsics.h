// SPDX-License-Identifier: MIT
// Arithmetic with a named rounding (__fadd_rz, __ddiv_ru, __float2int_rn, …), bit casts, and the fast
// approximations (__sinf, __expf, __fdividef, …), each one PTX instruction or two. Needs only the qualifiers.
#pragma once
#include "qualifiers.h"

// op.rounding.type for the four roundings.
#define __PTXCC_BINARY(name, type, in, instruction, suffix)          \
  __PTXCC_DEVICE__ type name(type a, type b) {                       \
    type result;                                                     \
    asm(instruction " %0, %1, %2;" : "=" in(result) : in(a), in(b)); \
    return result;                                                   \
  }
#define __PTXCC_UNARY(name, type, in, instruction)        \
  __PTXCC_DEVICE__ type name(type a) {                    \
    type result;                                          \
    asm(instruction " %0, %1;" : "=" in(result) : in(a)); \
    return result;                                        \
  }
#define __PTXCC_TERNARY(name, type, in, instruction)                            \
  __PTXCC_DEVICE__ type name(type a, type b, type c) {                          \
    type result;                                                                \
    asm(instruction " %0, %1, %2, %3;" : "=" in(result) : in(a), in(b), in(c)); \
    return result;                                                              \
  }
#define __PTXCC_ROUNDINGS(r, R)                                 \
  __PTXCC_BINARY(__fadd_##r, float, "f", "add." R ".f32", )     \
  __PTXCC_BINARY(__fsub_##r, float, "f", "sub." R ".f32", )     \
  __PTXCC_BINARY(__fmul_##r, float, "f", "mul." R ".f32", )     \
  __PTXCC_BINARY(__fdiv_##r, float, "f", "div." R ".f32", )     \
  __PTXCC_TERNARY(__fmaf_##r, float, "f", "fma." R ".f32")      \
  __PTXCC_TERNARY(__fmaf_ieee_##r, float, "f", "fma." R ".f32") \
  __PTXCC_UNARY(__frcp_##r, float, "f", "rcp." R ".f32")        \
  __PTXCC_UNARY(__fsqrt_##r, float, "f", "sqrt." R ".f32")      \
  __PTXCC_BINARY(__dadd_##r, double, "d", "add." R ".f64", )    \
  __PTXCC_BINARY(__dsub_##r, double, "d", "sub." R ".f64", )    \
  __PTXCC_BINARY(__dmul_##r, double, "d", "mul." R ".f64", )    \
  __PTXCC_BINARY(__ddiv_##r, double, "d", "div." R ".f64", )    \
  __PTXCC_TERNARY(__fma_##r, double, "d", "fma." R ".f64")      \
  __PTXCC_UNARY(__drcp_##r, double, "d", "rcp." R ".f64")       \
  __PTXCC_UNARY(__dsqrt_##r, double, "d", "sqrt." R ".f64")
__PTXCC_ROUNDINGS(rn, "rn")
__PTXCC_ROUNDINGS(rz, "rz")
__PTXCC_ROUNDINGS(ru, "rp")
__PTXCC_ROUNDINGS(rd, "rm")
#undef __PTXCC_ROUNDINGS

#define __PTXCC_CONVERT(name, to, out, from, in, instruction)         \
  __PTXCC_DEVICE__ to name(from value) {                              \
    to result;                                                        \
    asm("cvt." instruction " %0, %1;" : "=" out(result) : in(value)); \
    return result;                                                    \
  }
// ri: how a conversion to an integer is spelled, r: how one to a floating-point number is.
#define __PTXCC_CONVERSIONS(r, ri, R)                                                    \
  __PTXCC_CONVERT(__float2int_##r, int, "r", float, "f", ri ".s32.f32")                  \
  __PTXCC_CONVERT(__float2uint_##r, unsigned int, "r", float, "f", ri ".u32.f32")        \
  __PTXCC_CONVERT(__float2ll_##r, long long, "l", float, "f", ri ".s64.f32")             \
  __PTXCC_CONVERT(__float2ull_##r, unsigned long long, "l", float, "f", ri ".u64.f32")   \
  __PTXCC_CONVERT(__double2int_##r, int, "r", double, "d", ri ".s32.f64")                \
  __PTXCC_CONVERT(__double2uint_##r, unsigned int, "r", double, "d", ri ".u32.f64")      \
  __PTXCC_CONVERT(__double2ll_##r, long long, "l", double, "d", ri ".s64.f64")           \
  __PTXCC_CONVERT(__double2ull_##r, unsigned long long, "l", double, "d", ri ".u64.f64") \
  __PTXCC_CONVERT(__int2float_##r, float, "f", int, "r", R ".f32.s32")                   \
  __PTXCC_CONVERT(__uint2float_##r, float, "f", unsigned int, "r", R ".f32.u32")         \
  __PTXCC_CONVERT(__ll2float_##r, float, "f", long long, "l", R ".f32.s64")              \
  __PTXCC_CONVERT(__ull2float_##r, float, "f", unsigned long long, "l", R ".f32.u64")    \
  __PTXCC_CONVERT(__ll2double_##r, double, "d", long long, "l", R ".f64.s64")            \
  __PTXCC_CONVERT(__ull2double_##r, double, "d", unsigned long long, "l", R ".f64.u64")  \
  __PTXCC_CONVERT(__double2float_##r, float, "f", double, "d", R ".f32.f64")
__PTXCC_CONVERSIONS(rn, "rni", "rn")
__PTXCC_CONVERSIONS(rz, "rzi", "rz")
__PTXCC_CONVERSIONS(ru, "rpi", "rp")
__PTXCC_CONVERSIONS(rd, "rmi", "rm")
#undef __PTXCC_CONVERSIONS
__PTXCC_DEVICE__ double __int2double_rn(int value) {
  return value;
}
__PTXCC_DEVICE__ double __uint2double_rn(unsigned int value) {
  return value;
}

__PTXCC_DEVICE__ int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
__PTXCC_DEVICE__ unsigned int __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned int, x);
}
__PTXCC_DEVICE__ float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
__PTXCC_DEVICE__ float __uint_as_float(unsigned int x) {
  return __builtin_bit_cast(float, x);
}
__PTXCC_DEVICE__ long long __double_as_longlong(double x) {
  return __builtin_bit_cast(long long, x);
}
__PTXCC_DEVICE__ double __longlong_as_double(long long x) {
  return __builtin_bit_cast(double, x);
}
__PTXCC_DEVICE__ int __double2hiint(double x) {
  return static_cast<int>(__double_as_longlong(x) >> 32);
}
__PTXCC_DEVICE__ int __double2loint(double x) {
  return static_cast<int>(__double_as_longlong(x));
}
__PTXCC_DEVICE__ double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<long long>(
      static_cast<unsigned long long>(static_cast<unsigned int>(hi)) << 32 | static_cast<unsigned int>(lo)));
}

#if defined(__CLANG_GPU_APPROX_TRANSCENDENTALS__) || defined(__CLANG_CUDA_APPROX_TRANSCENDENTALS__)
#define __USE_FAST_MATH__ 1
#endif

// What --use_fast_math flushes: subnormal numbers, in the approximations too.
#ifdef __USE_FAST_MATH__
#define __PTXCC_FTZ ".ftz"
#else
#define __PTXCC_FTZ ""
#endif
__PTXCC_UNARY(__sinf, float, "f", "sin.approx" __PTXCC_FTZ ".f32")
__PTXCC_UNARY(__cosf, float, "f", "cos.approx" __PTXCC_FTZ ".f32")
__PTXCC_UNARY(__log2f, float, "f", "lg2.approx" __PTXCC_FTZ ".f32")
__PTXCC_UNARY(__ptxcc_ex2f, float, "f", "ex2.approx" __PTXCC_FTZ ".f32")
__PTXCC_UNARY(__ptxcc_rsqrtf, float, "f", "rsqrt.approx" __PTXCC_FTZ ".f32")
__PTXCC_UNARY(__saturatef, float, "f", "cvt.sat" __PTXCC_FTZ ".f32.f32")
__PTXCC_BINARY(__fdividef, float, "f", "div.approx" __PTXCC_FTZ ".f32", )
__PTXCC_DEVICE__ float __tanf(float x) {
  return __fdividef(__sinf(x), __cosf(x));
}
__PTXCC_DEVICE__ void __sincosf(float x, float* sine, float* cosine) {
  *sine = __sinf(x);
  *cosine = __cosf(x);
}
__PTXCC_DEVICE__ float __expf(float x) {
  return __ptxcc_ex2f(x * 1.4426950408889634f);
}
__PTXCC_DEVICE__ float __exp10f(float x) {
  return __ptxcc_ex2f(x * 3.3219280948873626f);
}
__PTXCC_DEVICE__ float __logf(float x) {
  return __log2f(x) * 0.69314718055994531f;
}
__PTXCC_DEVICE__ float __log10f(float x) {
  return __log2f(x) * 0.30102999566398120f;
}
__PTXCC_DEVICE__ float __powf(float x, float y) {
  return __ptxcc_ex2f(y * __log2f(x));
}
// Rounded once: the double in between has more than twice the bits.
__PTXCC_DEVICE__ float __frsqrt_rn(float x) {
  return static_cast<float>(__drcp_rn(__dsqrt_rn(static_cast<double>(x))));
}

#undef __PTXCC_BINARY
#undef __PTXCC_UNARY
#undef __PTXCC_TERNARY
#undef __PTXCC_CONVERT

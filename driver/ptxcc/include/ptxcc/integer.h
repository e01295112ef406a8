// SPDX-License-Identifier: MIT
// Integer intrinsics: counting, reversing, permuting bits, high products, funnel shifts, dot products,
// saturation.
//
// Plain C++ if clang finds the instruction by itself; PTX if clang has no builtin for it. Needs the vector
// types.
#pragma once
#include "vectors.h"

__PTXCC_DEVICE__ int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
__PTXCC_DEVICE__ int __popcll(unsigned long long x) {
  return __builtin_popcountll(x);
}
__PTXCC_DEVICE__ int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x));
}
__PTXCC_DEVICE__ int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
__PTXCC_DEVICE__ int __ffs(int x) {
  return __builtin_ffs(x);
}
__PTXCC_DEVICE__ int __ffsll(long long x) {
  return __builtin_ffsll(x);
}
__PTXCC_DEVICE__ unsigned int __brev(unsigned int x) {
  return __builtin_bitreverse32(x);
}
__PTXCC_DEVICE__ unsigned long long __brevll(unsigned long long x) {
  return __builtin_bitreverse64(x);
}
__PTXCC_DEVICE__ unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  unsigned int result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(selector & 0x7777u));
  return result;
}

__PTXCC_DEVICE__ int __mulhi(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) * b) >> 32);
}
__PTXCC_DEVICE__ unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) * b) >> 32);
}
__PTXCC_DEVICE__ long long __mul64hi(long long a, long long b) {
  long long result;
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(result) : "l"(a), "l"(b));
  return result;
}
__PTXCC_DEVICE__ unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long result;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(result) : "l"(a), "l"(b));
  return result;
}
// The low 24 bits of each, the low 32 of the product.
__PTXCC_DEVICE__ int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned int>((a << 8) >> 8) *
                          static_cast<unsigned int>((b << 8) >> 8));
}
__PTXCC_DEVICE__ unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}

__PTXCC_DEVICE__ unsigned int __sad(int a, int b, unsigned int c) {
  return (a > b ? static_cast<unsigned int>(a) - b : static_cast<unsigned int>(b) - a) + c;
}
__PTXCC_DEVICE__ unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}
__PTXCC_DEVICE__ int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
__PTXCC_DEVICE__ int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
__PTXCC_DEVICE__ unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b) >> 1);
}
__PTXCC_DEVICE__ unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

// The upper or lower half of hi:lo shifted; the plain form takes the shift modulo 32, the other one stops
// at 32.
__PTXCC_DEVICE__ unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  unsigned int result;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(lo), "r"(hi), "r"(shift));
  return result;
}
__PTXCC_DEVICE__ unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  unsigned int result;
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(lo), "r"(hi), "r"(shift));
  return result;
}
__PTXCC_DEVICE__ unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  unsigned int result;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(lo), "r"(hi), "r"(shift));
  return result;
}
__PTXCC_DEVICE__ unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  unsigned int result;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(lo), "r"(hi), "r"(shift));
  return result;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 610
__PTXCC_DEVICE__ int __dp4a(int a, int b, int c) {
  int result;
  asm("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}
__PTXCC_DEVICE__ unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  unsigned int result;
  asm("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c));
  return result;
}
__PTXCC_DEVICE__ int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(*reinterpret_cast<int*>(&a), *reinterpret_cast<int*>(&b), c);
}
__PTXCC_DEVICE__ unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(*reinterpret_cast<unsigned int*>(&a), *reinterpret_cast<unsigned int*>(&b), c);
}
#define __PTXCC_DP2A(name, half)                                                          \
  __PTXCC_DEVICE__ int name(int a, int b, int c) {                                        \
    int result;                                                                           \
    asm("dp2a." half ".s32.s32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
    return result;                                                                        \
  }                                                                                       \
  __PTXCC_DEVICE__ unsigned int name(unsigned int a, unsigned int b, unsigned int c) {    \
    unsigned int result;                                                                  \
    asm("dp2a." half ".u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(c)); \
    return result;                                                                        \
  }
__PTXCC_DP2A(__dp2a_lo, "lo")
__PTXCC_DP2A(__dp2a_hi, "hi")
#undef __PTXCC_DP2A
#endif

// The host has these as well, as with nvcc.
#define __PTXCC_MIN_MAX(type)                         \
  __PTXCC_BOTH__ constexpr type min(type a, type b) { \
    return b < a ? b : a;                             \
  }                                                   \
  __PTXCC_BOTH__ constexpr type max(type a, type b) { \
    return a < b ? b : a;                             \
  }
__PTXCC_MIN_MAX(int)
__PTXCC_MIN_MAX(unsigned int)
__PTXCC_MIN_MAX(long)
__PTXCC_MIN_MAX(unsigned long)
__PTXCC_MIN_MAX(long long)
__PTXCC_MIN_MAX(unsigned long long)
#undef __PTXCC_MIN_MAX
// A mixed pair is compared as unsigned.
#define __PTXCC_MIXED(u, s)                  \
  __PTXCC_BOTH__ constexpr u min(u a, s b) { \
    return min(a, static_cast<u>(b));        \
  }                                          \
  __PTXCC_BOTH__ constexpr u min(s a, u b) { \
    return min(static_cast<u>(a), b);        \
  }                                          \
  __PTXCC_BOTH__ constexpr u max(u a, s b) { \
    return max(a, static_cast<u>(b));        \
  }                                          \
  __PTXCC_BOTH__ constexpr u max(s a, u b) { \
    return max(static_cast<u>(a), b);        \
  }
__PTXCC_MIXED(unsigned int, int)
__PTXCC_MIXED(unsigned long, long)
__PTXCC_MIXED(unsigned long long, long long)
#undef __PTXCC_MIXED
__PTXCC_DEVICE__ unsigned int umin(unsigned int a, unsigned int b) {
  return min(a, b);
}
__PTXCC_DEVICE__ unsigned int umax(unsigned int a, unsigned int b) {
  return max(a, b);
}
__PTXCC_DEVICE__ long long llmin(long long a, long long b) {
  return min(a, b);
}
__PTXCC_DEVICE__ long long llmax(long long a, long long b) {
  return max(a, b);
}

// SPDX-License-Identifier: MIT
// Atomic functions of CUDA C++ with their _block and _system forms, each one PTX instruction.
//
// By asm, because clang has no builtin for many of them, and different ones in each version. Needs only the
// qualifiers; the atomic functions of half types are in cuda_fp16.h.
#pragma once
#include "qualifiers.h"

// in: the constraint letter of the register.
#define __PTXCC_ATOMIC_SCOPE(function, type, instruction, in, scope) \
  __PTXCC_DEVICE__ type function(type* address, type value) {        \
    type old;                                                        \
    asm volatile("atom" scope "." instruction " %0, [%1], %2;"       \
                 : "=" in(old)                                       \
                 : "l"(address), in(value)                           \
                 : "memory");                                        \
    return old;                                                      \
  }
#define __PTXCC_ATOMIC(name, type, instruction, in)                         \
  __PTXCC_ATOMIC_SCOPE(atomic##name, type, instruction, in, "")             \
  __PTXCC_ATOMIC_SCOPE(atomic##name##_block, type, instruction, in, ".cta") \
  __PTXCC_ATOMIC_SCOPE(atomic##name##_system, type, instruction, in, ".sys")

__PTXCC_ATOMIC(Add, int, "add.s32", "r")
__PTXCC_ATOMIC(Add, unsigned int, "add.u32", "r")
__PTXCC_ATOMIC(Add, unsigned long long, "add.u64", "l")
__PTXCC_ATOMIC(Add, float, "add.f32", "f")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
__PTXCC_ATOMIC(Add, double, "add.f64", "d")
#endif
__PTXCC_ATOMIC(Exch, int, "exch.b32", "r")
__PTXCC_ATOMIC(Exch, unsigned int, "exch.b32", "r")
__PTXCC_ATOMIC(Exch, unsigned long long, "exch.b64", "l")
__PTXCC_ATOMIC(Exch, float, "exch.b32", "f")
__PTXCC_ATOMIC(Min, int, "min.s32", "r")
__PTXCC_ATOMIC(Min, unsigned int, "min.u32", "r")
__PTXCC_ATOMIC(Min, long long, "min.s64", "l")
__PTXCC_ATOMIC(Min, unsigned long long, "min.u64", "l")
__PTXCC_ATOMIC(Max, int, "max.s32", "r")
__PTXCC_ATOMIC(Max, unsigned int, "max.u32", "r")
__PTXCC_ATOMIC(Max, long long, "max.s64", "l")
__PTXCC_ATOMIC(Max, unsigned long long, "max.u64", "l")
__PTXCC_ATOMIC(And, int, "and.b32", "r")
__PTXCC_ATOMIC(And, unsigned int, "and.b32", "r")
__PTXCC_ATOMIC(And, unsigned long long, "and.b64", "l")
__PTXCC_ATOMIC(Or, int, "or.b32", "r")
__PTXCC_ATOMIC(Or, unsigned int, "or.b32", "r")
__PTXCC_ATOMIC(Or, unsigned long long, "or.b64", "l")
__PTXCC_ATOMIC(Xor, int, "xor.b32", "r")
__PTXCC_ATOMIC(Xor, unsigned int, "xor.b32", "r")
__PTXCC_ATOMIC(Xor, unsigned long long, "xor.b64", "l")
__PTXCC_ATOMIC(Inc, unsigned int, "inc.u32", "r")
__PTXCC_ATOMIC(Dec, unsigned int, "dec.u32", "r")

// Subtracting is adding the two's complement.
#define __PTXCC_ATOMIC_SUB(suffix)                                                              \
  __PTXCC_DEVICE__ int atomicSub##suffix(int* address, int value) {                             \
    return atomicAdd##suffix(address, static_cast<int>(0u - static_cast<unsigned int>(value))); \
  }                                                                                             \
  __PTXCC_DEVICE__ unsigned int atomicSub##suffix(unsigned int* address, unsigned int value) {  \
    return atomicAdd##suffix(address, 0u - value);                                              \
  }
__PTXCC_ATOMIC_SUB()
__PTXCC_ATOMIC_SUB(_block)
__PTXCC_ATOMIC_SUB(_system)
#undef __PTXCC_ATOMIC_SUB

#define __PTXCC_ATOMIC_CAS(suffix, type, bits, in, scope)                            \
  __PTXCC_DEVICE__ type atomicCAS##suffix(type* address, type compare, type value) { \
    type old;                                                                        \
    asm volatile("atom" scope ".cas.b" #bits " %0, [%1], %2, %3;"                    \
                 : "=" in(old)                                                       \
                 : "l"(address), in(compare), in(value)                              \
                 : "memory");                                                        \
    return old;                                                                      \
  }
#define __PTXCC_ATOMIC_CAS_SCOPES(type, bits, in)    \
  __PTXCC_ATOMIC_CAS(, type, bits, in, "")           \
  __PTXCC_ATOMIC_CAS(_block, type, bits, in, ".cta") \
  __PTXCC_ATOMIC_CAS(_system, type, bits, in, ".sys")
__PTXCC_ATOMIC_CAS_SCOPES(int, 32, "r")
__PTXCC_ATOMIC_CAS_SCOPES(unsigned int, 32, "r")
__PTXCC_ATOMIC_CAS_SCOPES(unsigned long long, 64, "l")
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__PTXCC_ATOMIC_CAS_SCOPES(unsigned short, 16, "h")
#endif
#undef __PTXCC_ATOMIC_CAS_SCOPES
#undef __PTXCC_ATOMIC_CAS

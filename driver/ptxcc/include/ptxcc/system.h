// SPDX-License-Identifier: MIT
// Functions of the system for device code: printf, assert, the heap, clocks, fences, traps and tests of
// addresses.
//
// vprintf, __assertfail, malloc and free come from the driver, under the names that all CUDA compilers use.
// Must not depend on a system header: it comes before all of them.
#pragma once
#include "qualifiers.h"

extern "C" {
__device__ int vprintf(const char*, const char*);
__device__ void __assertfail(const char* message, const char* file, unsigned line, const char* function,
                             __SIZE_TYPE__ char_size);
__device__ void* malloc(__SIZE_TYPE__) __attribute__((nothrow, malloc));
__device__ void free(void*) __attribute__((nothrow));
// clang turns it into vprintf and a packed buffer.
__device__ int printf(const char*, ...);

// The C library's assert() ends in this.
__device__ static inline void __assert_fail(const char* message, const char* file, unsigned line,
                                            const char* function) {
  __assertfail(message, file, line, function, sizeof(char));
}
}

__PTXCC_DEVICE__ void* memcpy(void* to, const void* from, __SIZE_TYPE__ size) {
  return __builtin_memcpy(to, from, size);
}
__PTXCC_DEVICE__ void* memmove(void* to, const void* from, __SIZE_TYPE__ size) {
  return __builtin_memmove(to, from, size);
}
__PTXCC_DEVICE__ void* memset(void* to, int value, __SIZE_TYPE__ size) {
  return __builtin_memset(to, value, size);
}

namespace std {
using ::free;
using ::malloc;
using ::memcpy;
using ::memmove;
using ::memset;
}  // namespace std

__PTXCC_DEVICE__ void __trap() {
  asm volatile("trap;");
}
__PTXCC_DEVICE__ void __brkpt() {
  asm volatile("brkpt;");
}
__PTXCC_DEVICE__ void __threadfence_block() {
  asm volatile("membar.cta;" ::: "memory");
}
__PTXCC_DEVICE__ void __threadfence() {
  asm volatile("membar.gl;" ::: "memory");
}
__PTXCC_DEVICE__ void __threadfence_system() {
  asm volatile("membar.sys;" ::: "memory");
}

__PTXCC_DEVICE__ int clock() {
  int value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}
__PTXCC_DEVICE__ long long clock64() {
  long long value;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(value)::"memory");
  return value;
}
__PTXCC_DEVICE__ unsigned long long __globaltimer() {
  unsigned long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value)::"memory");
  return value;
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
__PTXCC_DEVICE__ void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds) : "memory");
}
#endif

#define __PTXCC_IS_SPACE(name, space)                                             \
  __PTXCC_DEVICE__ unsigned int __is##name(const void* pointer) {                 \
    unsigned int answer;                                                          \
    asm("{ .reg .pred p;\n\tisspacep." space " p, %1;\n\tselp.u32 %0, 1, 0, p; }" \
        : "=r"(answer)                                                            \
        : "l"(pointer));                                                          \
    return answer;                                                                \
  }
__PTXCC_IS_SPACE(Global, "global")
__PTXCC_IS_SPACE(Shared, "shared")
__PTXCC_IS_SPACE(Local, "local")
__PTXCC_IS_SPACE(Constant, "const")
#undef __PTXCC_IS_SPACE

#define __PTXCC_CVTA(name, space)                                                \
  __PTXCC_DEVICE__ __SIZE_TYPE__ __cvta_generic_to_##name(const void* pointer) { \
    __SIZE_TYPE__ address;                                                       \
    asm("cvta.to." space ".u64 %0, %1;" : "=l"(address) : "l"(pointer));         \
    return address;                                                              \
  }                                                                              \
  __PTXCC_DEVICE__ void* __cvta_##name##_to_generic(__SIZE_TYPE__ address) {     \
    void* pointer;                                                               \
    asm("cvta." space ".u64 %0, %1;" : "=l"(pointer) : "l"(address));            \
    return pointer;                                                              \
  }
__PTXCC_CVTA(global, "global")
__PTXCC_CVTA(shared, "shared")
__PTXCC_CVTA(local, "local")
__PTXCC_CVTA(constant, "const")
#undef __PTXCC_CVTA

// Loads and stores with a cache's name: the plain access means the same, only faster or slower.
#define __PTXCC_LOAD(name)                    \
  template <class T>                          \
  __PTXCC_DEVICE__ T name(const T* pointer) { \
    return *pointer;                          \
  }
__PTXCC_LOAD(__ldg)
__PTXCC_LOAD(__ldcg)
__PTXCC_LOAD(__ldca)
__PTXCC_LOAD(__ldcs)
__PTXCC_LOAD(__ldlu)
#undef __PTXCC_LOAD
template <class T>
__PTXCC_DEVICE__ T __ldcv(const T* pointer) {
  return *const_cast<const volatile T*>(pointer);
}
#define __PTXCC_STORE(name)                         \
  template <class T>                                \
  __PTXCC_DEVICE__ void name(T* pointer, T value) { \
    *pointer = value;                               \
  }
__PTXCC_STORE(__stwb)
__PTXCC_STORE(__stcg)
__PTXCC_STORE(__stcs)
__PTXCC_STORE(__stwt)
#undef __PTXCC_STORE

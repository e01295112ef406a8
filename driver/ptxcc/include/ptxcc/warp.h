// SPDX-License-Identifier: MIT
// Barriers of a block and functions of a warp: shuffle, vote, match, reduce.
//
// All are PTX by asm: clang treats asm in device code as convergent, so that none is moved across a branch,
// and the text is the same with every clang. Needs only the qualifiers.
#pragma once
#include "qualifiers.h"

// __syncthreads is clang's own. Before 15 its optimiser believes that other threads do not write a __shared__
// variable whose address is never taken, and reads it ahead of the barrier; it believes no such thing of asm.
#if __clang_major__ < 15
__PTXCC_DEVICE__ void __ptxcc_syncthreads() {
  asm volatile("bar.sync 0;" ::: "memory");
}
#define __syncthreads() __ptxcc_syncthreads()
#endif
__PTXCC_DEVICE__ void __syncwarp(unsigned int mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory");
}
__PTXCC_DEVICE__ int __syncthreads_count(int predicate) {
  int count;
  asm volatile("{ .reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tbar.red.popc.u32 %0, 0, p; }"
               : "=r"(count)
               : "r"(predicate)
               : "memory");
  return count;
}
#define __PTXCC_SYNC_VOTE(name, operation)                                           \
  __PTXCC_DEVICE__ int name(int predicate) {                                         \
    int answer;                                                                      \
    asm volatile("{ .reg .pred p, q;\n\tsetp.ne.s32 p, %1, 0;\n\tbar.red." operation \
                 ".pred q, 0, p;\n\tselp.s32 %0, 1, 0, q; }"                         \
                 : "=r"(answer)                                                      \
                 : "r"(predicate)                                                    \
                 : "memory");                                                        \
    return answer;                                                                   \
  }
__PTXCC_SYNC_VOTE(__syncthreads_and, "and")
__PTXCC_SYNC_VOTE(__syncthreads_or, "or")
#undef __PTXCC_SYNC_VOTE

__PTXCC_DEVICE__ unsigned int __activemask() {
  unsigned int mask;
  asm volatile("activemask.b32 %0;" : "=r"(mask)::"memory");
  return mask;
}
#define __PTXCC_VOTE(name, operation)                                                  \
  __PTXCC_DEVICE__ int name(unsigned int mask, int predicate) {                        \
    int answer;                                                                        \
    asm volatile("{ .reg .pred p, q;\n\tsetp.ne.s32 p, %1, 0;\n\tvote.sync." operation \
                 ".pred q, p, %2;\n\tselp.s32 %0, 1, 0, q; }"                          \
                 : "=r"(answer)                                                        \
                 : "r"(predicate), "r"(mask)                                           \
                 : "memory");                                                          \
    return answer;                                                                     \
  }
__PTXCC_VOTE(__all_sync, "all")
__PTXCC_VOTE(__any_sync, "any")
__PTXCC_VOTE(__uni_sync, "uni")
#undef __PTXCC_VOTE
__PTXCC_DEVICE__ unsigned int __ballot_sync(unsigned int mask, int predicate) {
  unsigned int ballot;
  asm volatile("{ .reg .pred p;\n\tsetp.ne.s32 p, %1, 0;\n\tvote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(ballot)
               : "r"(predicate), "r"(mask)
               : "memory");
  return ballot;
}

// One 32-bit shuffle in PTX; everything wider is built of it. PTX's fourth operand holds the clamp and the
// segment.
#define __PTXCC_SHUFFLE(name, mode, lane_type, clamp)                                                   \
  __PTXCC_DEVICE__ unsigned int __ptxcc_##name(unsigned int mask, unsigned int value, lane_type lane,   \
                                               int width) {                                             \
    unsigned int result;                                                                                \
    const unsigned int limits = (static_cast<unsigned int>(32 - width) << 8) | clamp;                   \
    asm volatile("shfl.sync." mode ".b32 %0, %1, %2, %3, %4;"                                           \
                 : "=r"(result)                                                                         \
                 : "r"(value), "r"(lane), "r"(limits), "r"(mask)                                        \
                 : "memory");                                                                           \
    return result;                                                                                      \
  }                                                                                                     \
  template <class T>                                                                                    \
  __PTXCC_DEVICE__ T name(unsigned int mask, T value, lane_type lane, int width = 32) {                 \
    static_assert(sizeof(T) == 2 || sizeof(T) == 4 || sizeof(T) == 8, "shuffles move 2, 4 or 8 bytes"); \
    T result;                                                                                           \
    if (sizeof(T) == 2) {                                                                               \
      unsigned short half;                                                                              \
      __builtin_memcpy(&half, &value, 2);                                                               \
      half = static_cast<unsigned short>(__ptxcc_##name(mask, half, lane, width));                      \
      __builtin_memcpy(&result, &half, 2);                                                              \
    } else {                                                                                            \
      unsigned int words[(sizeof(T) + 3) / 4];                                                          \
      __builtin_memcpy(words, &value, sizeof(T));                                                       \
      for (unsigned int& word : words) word = __ptxcc_##name(mask, word, lane, width);                  \
      __builtin_memcpy(&result, words, sizeof(T));                                                      \
    }                                                                                                   \
    return result;                                                                                      \
  }
__PTXCC_SHUFFLE(__shfl_sync, "idx", int, 0x1fu)
__PTXCC_SHUFFLE(__shfl_up_sync, "up", unsigned int, 0u)
__PTXCC_SHUFFLE(__shfl_down_sync, "down", unsigned int, 0x1fu)
__PTXCC_SHUFFLE(__shfl_xor_sync, "bfly", int, 0x1fu)
#undef __PTXCC_SHUFFLE

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 700
#define __PTXCC_MATCH(bits, in)                                                                          \
  __PTXCC_DEVICE__ unsigned int __ptxcc_match_any_##bits(unsigned int mask, unsigned long long value) {  \
    unsigned int result;                                                                                 \
    asm volatile("match.any.sync.b" #bits " %0, %1, %2;"                                                 \
                 : "=r"(result)                                                                          \
                 : in(static_cast<__UINT##bits##_TYPE__>(value)), "r"(mask)                              \
                 : "memory");                                                                            \
    return result;                                                                                       \
  }                                                                                                      \
  __PTXCC_DEVICE__ unsigned int __ptxcc_match_all_##bits(unsigned int mask, unsigned long long value,    \
                                                         int* all) {                                     \
    unsigned int result;                                                                                 \
    asm volatile("{ .reg .pred p;\n\tmatch.all.sync.b" #bits " %0|p, %2, %3;\n\tselp.s32 %1, 1, 0, p; }" \
                 : "=r"(result), "=r"(*all)                                                              \
                 : in(static_cast<__UINT##bits##_TYPE__>(value)), "r"(mask)                              \
                 : "memory");                                                                            \
    return result;                                                                                       \
  }
__PTXCC_MATCH(32, "r")
__PTXCC_MATCH(64, "l")
#undef __PTXCC_MATCH
template <class T>
__PTXCC_DEVICE__ unsigned int __match_any_sync(unsigned int mask, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "matches compare 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return sizeof(T) == 4 ? __ptxcc_match_any_32(mask, bits) : __ptxcc_match_any_64(mask, bits);
}
template <class T>
__PTXCC_DEVICE__ unsigned int __match_all_sync(unsigned int mask, T value, int* all) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "matches compare 4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return sizeof(T) == 4 ? __ptxcc_match_all_32(mask, bits, all) : __ptxcc_match_all_64(mask, bits, all);
}
#endif

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
#define __PTXCC_REDUCE(name, type, operation)                                                               \
  __PTXCC_DEVICE__ type name(unsigned int mask, type value) {                                               \
    type result;                                                                                            \
    asm volatile("redux.sync." operation " %0, %1, %2;" : "=r"(result) : "r"(value), "r"(mask) : "memory"); \
    return result;                                                                                          \
  }
__PTXCC_REDUCE(__reduce_add_sync, int, "add.s32")
__PTXCC_REDUCE(__reduce_add_sync, unsigned int, "add.u32")
__PTXCC_REDUCE(__reduce_min_sync, int, "min.s32")
__PTXCC_REDUCE(__reduce_min_sync, unsigned int, "min.u32")
__PTXCC_REDUCE(__reduce_max_sync, int, "max.s32")
__PTXCC_REDUCE(__reduce_max_sync, unsigned int, "max.u32")
__PTXCC_REDUCE(__reduce_and_sync, unsigned int, "and.b32")
__PTXCC_REDUCE(__reduce_or_sync, unsigned int, "or.b32")
__PTXCC_REDUCE(__reduce_xor_sync, unsigned int, "xor.b32")
#undef __PTXCC_REDUCE
#endif

// SPDX-License-Identifier: MIT
// Four bytes or two halves of a word at once (__vadd4, __vmins2, __vcmpgtu2, …), and sums with a maximum or
// minimum (__viaddmax_s32, __vimax3_s16x2, …).
//
// Lane by lane in plain C++: no newer architecture has instructions for them. Needs only the qualifiers.
#pragma once
#include "integer.h"

// A word made lane by lane of what `operation` returns for the lanes of three words.
template <class Lane, class Operation>
__PTXCC_BOTH__ unsigned int __ptxcc_lanes(unsigned int a, unsigned int b, unsigned int c,
                                          Operation operation) {
  constexpr int bits = 8 * sizeof(Lane);
  unsigned int result = 0;
  for (int at = 0; at < 32; at += bits) {
    const int lane =
        operation(static_cast<Lane>(a >> at), static_cast<Lane>(b >> at), static_cast<Lane>(c >> at));
    result |= (static_cast<unsigned int>(lane) & ((1u << bits) - 1)) << at;
  }
  return result;
}
// The value in a lane's range that is nearest to x.
template <class Lane>
__PTXCC_BOTH__ int __ptxcc_saturated(int x) {
  constexpr bool is_signed = static_cast<Lane>(-1) < 0;
  constexpr int most = (1 << (8 * sizeof(Lane) - (is_signed ? 1 : 0))) - 1, least = is_signed ? -most - 1 : 0;
  return x > most ? most : (x < least ? least : x);
}
__PTXCC_BOTH__ int __ptxcc_magnitude(int x) {
  return x < 0 ? -x : x;
}

#define __PTXCC_SIMD_1(name, kind, lane, value)                                    \
  __PTXCC_DEVICE__ unsigned int name(unsigned int word) {                          \
    typedef kind lane Lane;                                                        \
    return __ptxcc_lanes<Lane>(word, 0, 0, [](int a, int, int) { return value; }); \
  }
#define __PTXCC_SIMD_2(name, kind, lane, value)                                            \
  __PTXCC_DEVICE__ unsigned int name(unsigned int first, unsigned int second) {            \
    typedef kind lane Lane;                                                                \
    return __ptxcc_lanes<Lane>(first, second, 0, [](int a, int b, int) { return value; }); \
  }
#define __PTXCC_OF_ONE(name, kind, value)       \
  __PTXCC_SIMD_1(name##2, kind, short, (value)) \
  __PTXCC_SIMD_1(name##4, kind, char, (value))
#define __PTXCC_OF_TWO(name, kind, value)       \
  __PTXCC_SIMD_2(name##2, kind, short, (value)) \
  __PTXCC_SIMD_2(name##4, kind, char, (value))
__PTXCC_OF_ONE(__vabs, signed, __ptxcc_magnitude(a))
__PTXCC_OF_ONE(__vabsss, signed, __ptxcc_saturated<Lane>(__ptxcc_magnitude(a)))
__PTXCC_OF_ONE(__vneg, signed, -a)
__PTXCC_OF_ONE(__vnegss, signed, __ptxcc_saturated<Lane>(-a))
__PTXCC_OF_TWO(__vabsdiffs, signed, __ptxcc_magnitude(a - b))
__PTXCC_OF_TWO(__vabsdiffu, unsigned, __ptxcc_magnitude(a - b))
__PTXCC_OF_TWO(__vadd, unsigned, a + b)
__PTXCC_OF_TWO(__vaddss, signed, __ptxcc_saturated<Lane>(a + b))
__PTXCC_OF_TWO(__vaddus, unsigned, __ptxcc_saturated<Lane>(a + b))
__PTXCC_OF_TWO(__vsub, unsigned, a - b)
__PTXCC_OF_TWO(__vsubss, signed, __ptxcc_saturated<Lane>(a - b))
__PTXCC_OF_TWO(__vsubus, unsigned, __ptxcc_saturated<Lane>(a - b))
__PTXCC_OF_TWO(__vavgs, signed, (a + b + (a + b >= 0 ? 1 : 0)) >> 1)
__PTXCC_OF_TWO(__vavgu, unsigned, (a + b + 1) >> 1)
__PTXCC_OF_TWO(__vhaddu, unsigned, (a + b) >> 1)
__PTXCC_OF_TWO(__vmaxs, signed, a > b ? a : b)
__PTXCC_OF_TWO(__vmaxu, unsigned, a > b ? a : b)
__PTXCC_OF_TWO(__vmins, signed, a < b ? a : b)
__PTXCC_OF_TWO(__vminu, unsigned, a < b ? a : b)
// All bits of a lane, or its lowest one.
#define __PTXCC_COMPARED(name, kind, operation)              \
  __PTXCC_OF_TWO(__vcmp##name, kind, a operation b ? -1 : 0) \
  __PTXCC_OF_TWO(__vset##name, kind, a operation b ? 1 : 0)
__PTXCC_COMPARED(eq, unsigned, ==)
__PTXCC_COMPARED(ne, unsigned, !=)
__PTXCC_COMPARED(ges, signed, >=)
__PTXCC_COMPARED(geu, unsigned, >=)
__PTXCC_COMPARED(gts, signed, >)
__PTXCC_COMPARED(gtu, unsigned, >)
__PTXCC_COMPARED(les, signed, <=)
__PTXCC_COMPARED(leu, unsigned, <=)
__PTXCC_COMPARED(lts, signed, <)
__PTXCC_COMPARED(ltu, unsigned, <)
#undef __PTXCC_COMPARED
#undef __PTXCC_OF_TWO
#undef __PTXCC_OF_ONE
#undef __PTXCC_SIMD_2
#undef __PTXCC_SIMD_1

// The lanes' differences, added up.
#define __PTXCC_SUM_OF(name, differences, bits)                                                             \
  __PTXCC_DEVICE__ unsigned int name(unsigned int a, unsigned int b) {                                      \
    unsigned int sum = 0;                                                                                   \
    for (unsigned int left = differences(a, b); left != 0; left >>= bits) sum += left & ((1u << bits) - 1); \
    return sum;                                                                                             \
  }
__PTXCC_SUM_OF(__vsads2, __vabsdiffs2, 16)
__PTXCC_SUM_OF(__vsads4, __vabsdiffs4, 8)
__PTXCC_SUM_OF(__vsadu2, __vabsdiffu2, 16)
__PTXCC_SUM_OF(__vsadu4, __vabsdiffu4, 8)
#undef __PTXCC_SUM_OF

// The larger or smaller of a sum and another, of three, or of two and 0; of a word or of its halves. The host
// has these as well.
__PTXCC_BOTH__ int __ptxcc_wrapped_sum(int a, int b) {
  return static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b));
}
#define __PTXCC_EXTREME(which)                                                                       \
  __PTXCC_BOTH__ int __viadd##which##_s32(int a, int b, int c) {                                     \
    return which(__ptxcc_wrapped_sum(a, b), c);                                                      \
  }                                                                                                  \
  __PTXCC_BOTH__ unsigned int __viadd##which##_u32(unsigned int a, unsigned int b, unsigned int c) { \
    return which(a + b, c);                                                                          \
  }                                                                                                  \
  __PTXCC_BOTH__ int __viadd##which##_s32_relu(int a, int b, int c) {                                \
    return max(which(__ptxcc_wrapped_sum(a, b), c), 0);                                              \
  }                                                                                                  \
  __PTXCC_BOTH__ int __vi##which##3_s32(int a, int b, int c) {                                       \
    return which(which(a, b), c);                                                                    \
  }                                                                                                  \
  __PTXCC_BOTH__ unsigned int __vi##which##3_u32(unsigned int a, unsigned int b, unsigned int c) {   \
    return which(which(a, b), c);                                                                    \
  }                                                                                                  \
  __PTXCC_BOTH__ int __vi##which##3_s32_relu(int a, int b, int c) {                                  \
    return max(which(which(a, b), c), 0);                                                            \
  }                                                                                                  \
  __PTXCC_BOTH__ int __vi##which##_s32_relu(int a, int b) {                                          \
    return max(which(a, b), 0);                                                                      \
  }                                                                                                  \
  __PTXCC_BOTH__ unsigned int __vi##which##_s16x2_relu(unsigned int a, unsigned int b) {             \
    return __ptxcc_lanes<short>(a, b, 0, [](int x, int y, int) { return max(which(x, y), 0); });     \
  }                                                                                                  \
  __PTXCC_EXTREME_OF_HALVES(which, s16x2, short, value)                                              \
  __PTXCC_EXTREME_OF_HALVES(which, u16x2, unsigned short, value)                                     \
  __PTXCC_EXTREME_OF_HALVES(which, s16x2_relu, short, max(value, 0))
#define __PTXCC_EXTREME_OF_HALVES(which, suffix, lane, result)                                            \
  __PTXCC_BOTH__ unsigned int __viadd##which##_##suffix(unsigned int a, unsigned int b, unsigned int c) { \
    return __ptxcc_lanes<lane>(a, b, c, [](int x, int y, int z) {                                         \
      const int value = which(static_cast<int>(static_cast<lane>(x + y)), z);                             \
      return result;                                                                                      \
    });                                                                                                   \
  }                                                                                                       \
  __PTXCC_BOTH__ unsigned int __vi##which##3_##suffix(unsigned int a, unsigned int b, unsigned int c) {   \
    return __ptxcc_lanes<lane>(a, b, c, [](int x, int y, int z) {                                         \
      const int value = which(which(x, y), z);                                                            \
      return result;                                                                                      \
    });                                                                                                   \
  }
__PTXCC_EXTREME(max)
__PTXCC_EXTREME(min)
#undef __PTXCC_EXTREME
#undef __PTXCC_EXTREME_OF_HALVES
// And whether it was the first.
#define __PTXCC_WHICH(which, operation)                                                         \
  __PTXCC_BOTH__ int __vib##which##_s32(int a, int b, bool* first) {                            \
    *first = a operation b;                                                                     \
    return which(a, b);                                                                         \
  }                                                                                             \
  __PTXCC_BOTH__ unsigned int __vib##which##_u32(unsigned int a, unsigned int b, bool* first) { \
    *first = a operation b;                                                                     \
    return which(a, b);                                                                         \
  }                                                                                             \
  __PTXCC_WHICH_OF_HALVES(which, operation, s16x2, short)                                       \
  __PTXCC_WHICH_OF_HALVES(which, operation, u16x2, unsigned short)
#define __PTXCC_WHICH_OF_HALVES(which, operation, suffix, lane)                                   \
  __PTXCC_BOTH__ unsigned int __vib##which##_##suffix(unsigned int a, unsigned int b, bool* high, \
                                                      bool* low) {                                \
    *high = static_cast<lane>(a >> 16) operation static_cast<lane>(b >> 16);                      \
    *low = static_cast<lane>(a) operation static_cast<lane>(b);                                   \
    return __ptxcc_lanes<lane>(a, b, 0, [](int x, int y, int) { return which(x, y); });           \
  }
__PTXCC_WHICH(max, >=)
__PTXCC_WHICH(min, <=)
#undef __PTXCC_WHICH
#undef __PTXCC_WHICH_OF_HALVES

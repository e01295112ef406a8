// SPDX-License-Identifier: MIT
// Reads the cheapest steady clock there is: the time stamp counter where it runs at a constant rate in every
// core and sleep state, CLOCK_MONOTONIC elsewhere. Ticks mean nothing without the reader's calibration.
#pragma once
#include <ctime>

#include "wire.hpp"
#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace trace::wire {

inline std::uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(now.tv_nsec);
}

inline Clock best_clock() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  const bool invariant = __get_cpuid(0x80000007u, &a, &b, &c, &d) != 0 && (d & (1u << 8)) != 0;
  return invariant ? Clock::TimeStampCounter : Clock::Monotonic;
#else
  return Clock::Monotonic;
#endif
}

// As ticks(), perhaps some loads early: for the beginning of a call, which orders nothing.
inline std::uint64_t early_ticks(Clock clock) {
#if defined(__x86_64__)
  if (clock == Clock::TimeStampCounter) [[likely]]
    return __rdtsc();
#endif
  static_cast<void>(clock);
  return monotonic_ns();
}

inline std::uint64_t ticks(Clock clock) {
#if defined(__x86_64__)
  if (clock == Clock::TimeStampCounter) [[likely]] {
    // Without the fence the counter is read ahead of earlier loads: a thread that waited for another's call
    // would then seem to have finished its own before it.
    _mm_lfence();
    return __rdtsc();
  }
#endif
  static_cast<void>(clock);
  return monotonic_ns();
}

// For the end of a call. Order between threads matters only if there is a second thread: as long as there was
// none, no thread can have waited for another's call, and the fence, which costs as much as all stores of a
// record, is left out. A thread that has waited for the call of a new thread sees `several` set, because
// loads are not reordered with each other.
inline std::uint64_t leaving_ticks(const Header& header, Clock clock) {
  if (header.several.load(std::memory_order_relaxed) == 0) return early_ticks(clock);
  return ticks(clock);
}

}  // namespace trace::wire

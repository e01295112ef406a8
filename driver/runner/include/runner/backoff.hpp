// SPDX-License-Identifier: MIT
// How a thread waits for something that should happen soon: it yields its core and looks again, as long as no
// other thread needs the core.
//
// On a machine with free cores, a thread that looks and yields notices a change at once. On a busy machine
// such a thread has to wait for the time slices of others, while a sleeping thread would be woken and run at
// once. So after one yield that took long, the result is for some time that the caller should sleep. Used by
// both sides of a runner, with one object for each thread.
#pragma once

#include <sched.h>

#include <chrono>

namespace runner {

class Backoff {
 public:
  using Clock = std::chrono::steady_clock;

  // True if the caller should look again; false if it should sleep.
  bool operator()() {
    const Clock::time_point begin = Clock::now();
    if (begin < crowded_until_) return false;
    sched_yield();
    const Clock::time_point end = Clock::now();
    if (end - begin < kLongYield) return true;
    crowded_until_ = end + kRest;
    return false;
  }

 private:
  static constexpr auto kLongYield = std::chrono::microseconds(100);
  static constexpr auto kRest = std::chrono::milliseconds(10);
  Clock::time_point crowded_until_{};
};

}  // namespace runner

// SPDX-License-Identifier: MIT
// How a thread waits for something that should come soon: it yields its core and looks again, as long as
// nobody else needs the core.
//
// On a machine with free cores, a thread that looks and yields sees at once what another does. On a busy one
// it is neither asleep nor running: whoever waits for it waits for the time slices of others, where a sleeper
// would have been woken and run at once. So after one yield that took long, the advice for a while is to
// sleep. Used by both sides of a runner; each thread asks for itself.
#pragma once

#include <sched.h>

#include <chrono>

namespace runner {

class GiveWay {
 public:
  using Clock = std::chrono::steady_clock;

  // Whether it is worth to look again; false when the caller should sleep.
  bool operator()() {
    const Clock::time_point begin = Clock::now();
    if (begin < crowded_until_) return false;
    sched_yield();
    const Clock::time_point end = Clock::now();
    if (end - begin < long_yield) return true;
    crowded_until_ = end + rest;
    return false;
  }

 private:
  static constexpr auto long_yield = std::chrono::microseconds(100);
  static constexpr auto rest = std::chrono::milliseconds(10);
  Clock::time_point crowded_until_{};
};

}  // namespace runner

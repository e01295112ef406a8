// SPDX-License-Identifier: MIT
// How the benchmarks of the window and the model measure: the thread's own processor time, so that other work
// on the machine does not count, as median, 99th percentile and worst.
#pragma once
#include <algorithm>
#include <ctime>
#include <vector>

namespace bench {

// What this thread (or all of the process) itself used.
inline double processor_milliseconds(clockid_t clock = CLOCK_THREAD_CPUTIME_ID) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

// The least of each figure in several rounds, in the unit of the times.
struct Figures {
  double median = 1e9, p99 = 1e9, worst = 1e9;

  // One round; at least one time.
  void add(std::vector<double> times) {
    std::sort(times.begin(), times.end());
    median = std::min(median, times[times.size() / 2]);
    p99 = std::min(p99, times[times.size() * 99 / 100]);
    worst = std::min(worst, times.back());
  }
};

}  // namespace bench

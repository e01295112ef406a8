// SPDX-License-Identifier: MIT
// See worker_places.hpp. A worker moves by asking the system for the other cores only, for a moment.
#include "worker_places.hpp"

#include <sched.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>

namespace runner {
namespace {

using Clock = std::chrono::steady_clock;

// A move takes some microseconds, and may be in vain where many others want the cores, too.
constexpr auto kLeastStay = std::chrono::milliseconds(10);
constexpr std::size_t kMostPlaces = 256;

std::array<std::atomic<int>, kMostPlaces> places;  // one more than its number; 0: not known
unsigned place_count = 0;

// Whether a worker of a lower number has this core: one of two stays.
bool is_taken(int core, unsigned worker) {
  for (unsigned other = 0; other < worker; ++other)
    if (places[other].load(std::memory_order_relaxed) == core + 1) return true;
  return false;
}

void move_to_a_free_core(unsigned worker) {
  cpu_set_t allowed, wanted;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  wanted = allowed;
  for (unsigned other = 0; other < place_count; ++other) {
    const int core = places[other].load(std::memory_order_relaxed) - 1;
    if (other != worker && core >= 0 && core < CPU_SETSIZE) CPU_CLR(static_cast<unsigned>(core), &wanted);
  }
  if (CPU_COUNT(&wanted) == 0 || sched_setaffinity(0, sizeof wanted, &wanted) != 0) return;
  sched_setaffinity(0, sizeof allowed, &allowed);
}

}  // namespace

void make_places(unsigned count) {
  place_count = count <= kMostPlaces ? count : 0;
}

void settle(unsigned worker) {
  thread_local Clock::time_point moved{};
  if (worker >= place_count) return;
  const int core = sched_getcpu();
  places[worker].store(core + 1, std::memory_order_relaxed);
  if (!is_taken(core, worker)) return;
  const Clock::time_point now = Clock::now();
  if (now - moved < kLeastStay) return;
  moved = now;
  move_to_a_free_core(worker);
  places[worker].store(sched_getcpu() + 1, std::memory_order_relaxed);
}

}  // namespace runner

// SPDX-License-Identifier: MIT
// See workers.hpp. A worker joins a launch, runs blocks, leaves, looks for more for a moment, and sleeps.
//
// One idle worker spins: it sees at once what the host posts, so that the host does not have to wake a
// worker. The others wait for a request for help, which is made for launches that are large enough.
#include "workers.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <utility>

#include "process.hpp"
#include "runner/backoff.hpp"
#include "schedule.hpp"
#include "worker_places.hpp"

namespace runner {
namespace {

using Clock = std::chrono::steady_clock;

constexpr unsigned kMostWorkers = 4096;
constexpr auto kSpinTime = std::chrono::microseconds(60);
// Reserved, not used: deep recursion in one thread of a kernel takes what it takes, and faults at the end.
constexpr std::size_t kWorkerStack = std::size_t{64} << 20;
constexpr std::size_t kExtraStack = std::size_t{8} << 20;

std::atomic<unsigned> workers{0};

// Read before looking for work: a worker that is about to wait notices a change after that.
struct Signals {
  std::uint32_t bell = control->bell.load(std::memory_order_seq_cst);
  std::uint32_t help = control->help.load(std::memory_order_seq_cst);
};

int wake_sleeper() {
  return control->sleepers.load(std::memory_order_seq_cst) != 0 ? futex_wake(control->bell, 1) : 0;
}

// Spinning workers see it by themselves. The bell is changed before sleepers are looked for, so that a worker
// that is about to sleep notices it. A cooperative launch whose second worker slept would wait for ever. If
// another worker is awake already, it wakes others.
void call_for_help(const Share& share) {
  control->help.fetch_add(1, std::memory_order_seq_cst);
  control->bell.fetch_add(1, std::memory_order_seq_cst);
  const std::uint64_t two_awake_for = control->woken_for.load(std::memory_order_relaxed);
  if (!share.first || two_awake_for != slot_of(share).ticket) wake_sleeper();
}

bool add_worker(std::size_t largest_stack);

class Workers : public Crew {
 public:
  // All blocks of a cooperative launch run at the same time, each on a worker of its own.
  bool make_room(std::uint64_t wanted) override {
    while (workers < wanted) {
      if (!add_worker(kExtraStack)) return false;
    }
    return true;
  }
  // The host may have done it already.
  void wake_one_for(const Slot& launch) override {
    if (control->woken_for.load(std::memory_order_relaxed) != launch.ticket && wake_sleeper() > 0)
      control->woken_for.store(launch.ticket, std::memory_order_relaxed);
  }
};

// An idle worker's look at what has been posted or called since `before`.
class Idle {
 public:
  explicit Idle(const Signals& before) : before_(before) {}
  ~Idle() { step_down(); }
  Idle(const Idle&) = delete;
  Idle& operator=(const Idle&) = delete;

  bool finds_work() {
    for (int i = 0; i < kLooks; ++i) {
      lookout_ = lookout_ || (control->spinners.load(std::memory_order_relaxed) == 0 &&
                              control->spinners.exchange(1, std::memory_order_seq_cst) == 0);
      if (control->help.load(std::memory_order_seq_cst) != before_.help) return true;
      if (lookout_ && control->bell.load(std::memory_order_seq_cst) != before_.bell) return true;
      __builtin_ia32_pause();
    }
    return false;
  }
  // A worker without a core sees nothing, so the host has to wake a worker then. False if the host did not
  // know yet.
  bool steps_down() {
    step_down();
    return control->bell.load(std::memory_order_seq_cst) == before_.bell;
  }

 private:
  void step_down() {
    if (lookout_) control->spinners.store(0, std::memory_order_seq_cst);
    lookout_ = false;
  }

  static constexpr int kLooks = 128;  // two or three microseconds
  const Signals& before_;
  bool lookout_ = false;
};

bool host_waits_for_this_core() {
  return control->waiting_core.load(std::memory_order_relaxed) == sched_getcpu() + 1;
}

// Looks for work for a moment. Where the host waits for this very core it only gives way: it may be about to
// post, and gives the core back by yielding. To sleep here would cost the next launch a waking by the kernel,
// longer than what a small launch computes.
bool spin_for_work(const Signals& before) {
  thread_local Backoff backoff;
  Idle idle(before);
  const auto end = Clock::now() + kSpinTime;
  do {
    if ((!host_waits_for_this_core() && idle.finds_work()) || !idle.steps_down()) return true;
  } while (backoff() && Clock::now() < end);
  return false;
}

void work(unsigned number) {
  Workers crew;
  for (std::uint64_t ended = 0;;) {
    const Signals before;
    if (const Share share = join_oldest(std::exchange(ended, 0), crew)) {
      if (share.others_could_help) call_for_help(share);
      SharePieces pieces(share, number);
      const Slot& slot = slot_of(share);
      running_ticket = slot.ticket;
      // All blocks of a cooperative launch run at the same time, so they are spread over the multiprocessors.
      const unsigned index = slot.cooperative != 0 ? static_cast<unsigned>(share.block) : number;
      code_of(share).run(slot, pieces, index);
      end_if_asked();
      running_ticket = 0;
      ended = leave(share);
    } else if (!spin_for_work(before)) {
      settle(number);
      control->sleepers.fetch_add(1, std::memory_order_seq_cst);
      futex_wait(control->bell, before.bell);
      control->sleepers.fetch_sub(1, std::memory_order_seq_cst);
    }
  }
}

void* worker_body(void* number) {
  use_signal_stack();
  work(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(number)));
  return nullptr;
}

bool add_worker(std::size_t largest_stack) {
  const unsigned number = workers.fetch_add(1);
  if (number >= kMostWorkers) {
    workers.fetch_sub(1);
    return false;
  }
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Less where address space is short.
  pthread_t thread = {};
  for (std::size_t stack = largest_stack; stack >= (std::size_t{1} << 20); stack /= 4) {
    pthread_attr_setstacksize(&attributes, stack);
    const auto word = static_cast<std::uintptr_t>(number);
    if (pthread_create(&thread, &attributes, worker_body, reinterpret_cast<void*>(word)) == 0) {
      pthread_attr_destroy(&attributes);
      return true;
    }
  }
  pthread_attr_destroy(&attributes);
  workers.fetch_sub(1);
  return false;
}

unsigned core_count() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace

bool start_workers() {
  const unsigned wanted = control->worker_count != 0 ? control->worker_count : core_count();
  set_part_count(wanted);
  make_places(wanted);
  for (unsigned i = 0; i < wanted; ++i) {
    if (!add_worker(kWorkerStack)) break;
  }
  return workers > 0;
}

bool relieve_starved_launches() {
  static std::uint64_t pieces_before = 0;
  const Progress now = progress();
  if (now.waiting && now.busy == workers && now.pieces == pieces_before) add_worker(kExtraStack);
  pieces_before = now.pieces;
  return now.waiting || now.busy > 0;
}

}  // namespace runner

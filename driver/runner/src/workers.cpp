// Workers: claim, run, tell.
//
// The schedule is under one mutex: claims are few (a claim takes many blocks), and a slot that is used again
// cannot be mistaken for the launch that was in it before.
#include "workers.hpp"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <climits>
#include <mutex>

#include "code_store.hpp"
#include "device_memory.hpp"
#include "process.hpp"

namespace runner {
namespace {

constexpr unsigned most_workers = 4096;
constexpr auto spin_time = std::chrono::microseconds(60);
constexpr std::uint64_t claims_for_each_worker = 8;
// Reserved, not used: deep recursion in one thread of a kernel takes what it takes, and faults at the end.
constexpr std::size_t worker_stack = std::size_t{64} << 20;
constexpr std::size_t extra_stack = std::size_t{8} << 20;

enum class Phase { Preparing, Ready, Claimed };

// A launch that the workers know of. Belongs to `ticket` only; the next user of the slot starts over.
struct Grid {
  std::uint64_t ticket = 0;
  Phase phase = Phase::Preparing;
  KernelCode* code = nullptr;
  std::uint64_t units = 0, next = 0, chunk = 1, left = 0;
};

struct Claim {
  Grid* grid = nullptr;
  std::uint64_t first = 0, count = 0;
  bool more = false;  // something is left for others, or another launch waits
  explicit operator bool() const { return grid != nullptr; }
};

std::mutex schedule;
std::array<Grid, slot_count> grids;
std::uint64_t oldest = 1;  // every ticket below is claimed to the end
unsigned workers = 0;
unsigned busy = 0;
std::uint64_t promised = 0;  // blocks of cooperative launches that have a worker to come
std::uint64_t claims = 0;    // how many were made; stands still while everybody is busy

Slot& slot_of(std::uint64_t ticket) {
  return control->slots[ticket % slot_count];
}

bool has_ended(std::uint64_t ticket) {
  const std::uint32_t done = slot_of(ticket).done.load(std::memory_order_acquire);
  return static_cast<std::int32_t>(done - static_cast<std::uint32_t>(ticket)) >= 0;
}

void tell_end(std::uint64_t ticket) {
  Slot& slot = slot_of(ticket);
  slot.done.store(static_cast<std::uint32_t>(ticket), std::memory_order_seq_cst);
  if (slot.waiters.load(std::memory_order_seq_cst) != 0) futex_wake(slot.done, INT_MAX);
}

bool add_worker(std::size_t stack);

// Everything that the first worker to meet a launch does for all. Without the lock: it may compile.
void prepare(Grid& grid, unsigned worker_count) {
  const Slot& slot = slot_of(grid.ticket);
  apply_changes(slot.changes);
  grid.code = &kernel_code(slot.kernel);
  grid.units = grid.left = grid.code->units(slot);
  grid.next = 0;
  grid.chunk = std::max<std::uint64_t>(1, grid.units / (worker_count * claims_for_each_worker));
}

// All blocks of a cooperative launch run at the same time, each on a worker of its own. Holds `schedule`.
void make_room_for_all(Grid& grid) {
  grid.chunk = 1;
  promised += grid.units;
  while (workers < busy + promised) {
    if (!add_worker(extra_stack)) end_with(Outcome::LaunchFailed);
  }
}

bool take_from(Grid& grid, Claim& claim) {
  if (grid.phase != Phase::Ready) return false;
  claim.grid = &grid;
  claim.first = grid.next;
  claim.count = std::min(grid.chunk, grid.units - grid.next);
  grid.next += claim.count;
  if (slot_of(grid.ticket).cooperative != 0) promised -= claim.count;
  claim.more = grid.next < grid.units;
  if (!claim.more) grid.phase = Phase::Claimed;
  return true;
}

// The oldest work that may begin.
Claim claim_work() {
  Claim claim;
  std::unique_lock lock(schedule);
  const std::uint64_t posted = control->posted.load(std::memory_order_acquire);
  for (std::uint64_t ticket = oldest; ticket <= posted; ++ticket) {
    Grid& grid = grids[ticket % slot_count];
    if (grid.ticket != ticket) {
      const std::uint64_t after = slot_of(ticket).after;
      if (after != 0 && !has_ended(after)) continue;
      grid.ticket = ticket;
      grid.phase = Phase::Preparing;
      const unsigned worker_count = workers;
      lock.unlock();
      prepare(grid, worker_count);
      lock.lock();
      if (slot_of(ticket).cooperative != 0) make_room_for_all(grid);
      grid.phase = Phase::Ready;
    }
    if (take_from(grid, claim)) {
      ++busy;
      ++claims;
      claim.more = claim.more || ticket < posted;
      break;
    }
    if (ticket == oldest && grid.phase == Phase::Claimed) ++oldest;
  }
  return claim;
}

// Gives back what is done; the last one tells the host.
void finish(const Claim& claim) {
  std::uint64_t ended = 0;
  {
    const std::lock_guard lock(schedule);
    --busy;
    claim.grid->left -= claim.count;
    if (claim.grid->left == 0) ended = claim.grid->ticket;
  }
  if (ended != 0) tell_end(ended);
}

// The bell rings before anyone looks for sleepers: one that is about to sleep hears it then. A cooperative
// launch whose second worker slept would wait for ever.
void wake_another() {
  control->bell.fetch_add(1, std::memory_order_seq_cst);
  if (control->sleepers.load(std::memory_order_seq_cst) != 0) futex_wake(control->bell, 1);
}

// Looks for a while whether something new is posted. One worker at a time: the others sleep.
bool spin_for_work() {
  if (control->spinners.exchange(1, std::memory_order_seq_cst) != 0) return false;
  const std::uint64_t seen = control->posted.load(std::memory_order_acquire);
  const auto end = std::chrono::steady_clock::now() + spin_time;
  bool found = false;
  do {
    for (int i = 0; i < 64 && !found; ++i) {
      found = control->posted.load(std::memory_order_acquire) != seen;
      __builtin_ia32_pause();
    }
    sched_yield();  // the host may need the very core that spins
  } while (!found && std::chrono::steady_clock::now() < end);
  control->spinners.store(0, std::memory_order_seq_cst);
  return found;
}

void work(unsigned number) {
  for (;;) {
    // Read before looking: what comes after that makes the wait return at once.
    const std::uint32_t bell = control->bell.load(std::memory_order_seq_cst);
    if (const Claim claim = claim_work()) {
      if (claim.more) wake_another();
      claim.grid->code->run(slot_of(claim.grid->ticket), claim.first, claim.count, number);
      end_if_asked();
      finish(claim);
    } else if (!spin_for_work()) {
      control->sleepers.fetch_add(1, std::memory_order_seq_cst);
      futex_wait(control->bell, bell);
      control->sleepers.fetch_sub(1, std::memory_order_seq_cst);
    }
  }
}

void* worker_body(void* number) {
  use_signal_stack();
  work(static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(number)));
  return nullptr;
}

// Holds `schedule`, or nothing runs yet.
bool add_worker(std::size_t largest_stack) {
  if (workers == most_workers) return false;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  // Less where address space is short.
  pthread_t thread = {};
  for (std::size_t stack = largest_stack; stack >= (std::size_t{1} << 20); stack /= 4) {
    pthread_attr_setstacksize(&attributes, stack);
    const auto number = static_cast<std::uintptr_t>(workers);
    if (pthread_create(&thread, &attributes, worker_body, reinterpret_cast<void*>(number)) == 0) {
      ++workers;
      pthread_attr_destroy(&attributes);
      return true;
    }
  }
  pthread_attr_destroy(&attributes);
  return false;
}

unsigned core_count() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) != 0) return 1;
  return std::max(1, CPU_COUNT(&cores));
}

}  // namespace

bool start_workers() {
  const std::lock_guard lock(schedule);
  const unsigned wanted = control->worker_count != 0 ? control->worker_count : core_count();
  for (unsigned i = 0; i < wanted; ++i) {
    if (!add_worker(worker_stack)) break;
  }
  return workers > 0;
}

bool relieve_starved_launches() {
  static std::uint64_t claims_before = 0;
  const std::lock_guard lock(schedule);
  const bool waiting = oldest <= control->posted.load(std::memory_order_acquire);
  if (waiting && busy == workers && claims == claims_before) add_worker(extra_stack);
  claims_before = claims;
  return waiting || busy > 0;
}

}  // namespace runner

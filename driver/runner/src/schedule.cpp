// SPDX-License-Identifier: MIT
// See schedule.hpp: launches in the order in which they were posted, their blocks in parts.
//
// A slot that is used again cannot be mistaken for the launch that was in it before: the end is reported to
// the host only when the last worker has left, and the host posts nothing into that slot until then.
#include "schedule.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <memory>
#include <mutex>
#include <utility>

#include "brief_mutex.hpp"
#include "code_store.hpp"
#include "device_memory.hpp"
#include "process.hpp"

namespace runner {

namespace {

enum class Phase { Preparing, Ready, Exhausted };

// A line of its own each, because its owner takes from it again and again.
struct alignas(64) Part {
  std::atomic<std::uint64_t> next{0};
  std::uint64_t end = 0;
};

struct alignas(64) Counter {
  std::atomic<std::uint64_t> count{0};
};

constexpr std::uint64_t kPiecesForEachWorker = 8;
// With fewer blocks for each worker, a block is a piece and they begin in order: threads that wait for
// another block, or print, look as on a real machine.
constexpr std::uint64_t kLeastBlocksForParts = 2 * kPiecesForEachWorker;
constexpr std::size_t kCounterCount = 64;

}  // namespace

// A launch that the workers have seen. Belongs to `ticket` only; the next user of the slot starts over.
struct Grid {
  std::uint64_t ticket = 0;
  Phase phase = Phase::Preparing;
  KernelCode* code = nullptr;
  bool cooperative = false;
  std::uint64_t units = 0, chunk = 1, users = 0;
  std::uint64_t next = 0;  // of a cooperative launch
  unsigned part_count = 0;
  std::unique_ptr<Part[]> parts;
};

namespace {

BriefMutex schedule;
std::array<Grid, kSlotCount> grids;
std::array<Counter, kCounterCount> pieces_taken;  // by workers
unsigned part_count = 1;
std::uint64_t oldest = 1;  // every ticket below is taken to the end
std::uint64_t seen = 0;    // every ticket up to this one may begin, or is the successor of another
// The launch that waits for a ticket. Streams have one; if there are `several`, the first to begin requests
// help for the others.
struct Successor {
  std::uint64_t after = 0, ticket = 0;
};
constexpr std::uint64_t kSeveral = UINT64_MAX;
std::array<Successor, kSlotCount> successors = {};  // by the slot of what is waited for
std::uint64_t busy = 0;
std::uint64_t promised = 0;  // blocks of cooperative launches that have a worker to come

Slot& slot_at(std::uint64_t ticket) {
  return control->slots[ticket % kSlotCount];
}

bool has_ended(std::uint64_t ticket) {
  const std::uint32_t done = slot_at(ticket).done.load(std::memory_order_acquire);
  return static_cast<std::int32_t>(done - static_cast<std::uint32_t>(ticket)) >= 0;
}

bool may_begin(std::uint64_t ticket) {
  const std::uint64_t after = slot_at(ticket).after;
  return after == 0 || has_ended(after);
}

void note_successor(std::uint64_t ticket) {
  const std::uint64_t after = slot_at(ticket).after;
  Successor& noted = successors[after % kSlotCount];
  noted = {after, noted.after == after ? kSeveral : ticket};
}

// Whether something that has not been looked at may begin, beside `ticket`.
bool finds_more(std::uint64_t ticket, std::uint64_t posted) {
  bool found = false;
  while (seen < posted) {
    ++seen;
    if (!may_begin(seen))
      note_successor(seen);
    else
      found = found || seen != ticket;
  }
  return found;
}

// Whether another than `ticket` has waited for `ended`.
bool has_released_more(std::uint64_t ended, std::uint64_t ticket) {
  if (ended == 0) return false;
  const Successor& noted = successors[ended % kSlotCount];
  return noted.after == ended && noted.ticket != ticket;
}

std::uint64_t monotonic_ns() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

void tell_end(std::uint64_t ticket) {
  Slot& slot = slot_at(ticket);
  if (slot.timed != 0) slot.ended = monotonic_ns();
  slot.done.store(static_cast<std::uint32_t>(ticket), std::memory_order_seq_cst);
  if (slot.waiters.load(std::memory_order_seq_cst) != 0) futex_wake(slot.done, INT_MAX);
}

void divide(Grid& grid) {
  grid.chunk = std::max<std::uint64_t>(1, grid.units / (part_count * kPiecesForEachWorker));
  grid.part_count = grid.units >= part_count * kLeastBlocksForParts ? part_count : 1;
  if (!grid.parts) grid.parts = std::make_unique<Part[]>(part_count);
  for (std::uint64_t i = 0; i < grid.part_count; ++i) {
    const std::uint64_t quotient = grid.units / grid.part_count, rest = grid.units % grid.part_count;
    grid.parts[i].next.store(i * quotient + std::min(i, rest), std::memory_order_relaxed);
    grid.parts[i].end = (i + 1) * quotient + std::min(i + 1, rest);
  }
}

// Everything that the first worker to meet a launch does for all. Without the lock: it may compile.
void prepare(Grid& grid) {
  const Slot& slot = slot_at(grid.ticket);
  apply_changes(slot.changes);
  // Code stays as long as the process does, and is mostly that of the launch before.
  thread_local std::pair<std::uint64_t, KernelCode*> last{0, nullptr};
  if (last.first != slot.kernel) last = {slot.kernel, &kernel_code(slot.kernel)};
  grid.code = last.second;
  grid.cooperative = slot.cooperative != 0;
  grid.units = grid.code->units(slot);
  grid.users = grid.next = 0;
  divide(grid);
}

bool has_pieces(const Grid& grid) {
  if (grid.cooperative) return grid.next < grid.units;
  return std::any_of(grid.parts.get(), grid.parts.get() + grid.part_count,
                     [](const Part& part) { return part.next.load(std::memory_order_relaxed) < part.end; });
}

bool join(Grid& grid, Share& share) {
  if (grid.phase != Phase::Ready) return false;
  if (!has_pieces(grid)) {
    grid.phase = Phase::Exhausted;
    return false;
  }
  share.grid = &grid;
  share.first = grid.users++ == 0;
  ++busy;
  if (!grid.cooperative) {
    share.others_could_help = grid.users * grid.chunk < grid.units;
    return true;
  }
  share.block = grid.next++;
  --promised;
  share.others_could_help = grid.next < grid.units;
  return true;
}

}  // namespace

void set_part_count(unsigned workers) {
  part_count = std::max(1U, workers);
}

Share join_oldest(std::uint64_t ended, Crew& crew) {
  Share share;
  std::unique_lock lock(schedule);
  // Ordered after the end that this worker has reported: either this load sees the host's post, or the host
  // sees the end.
  const std::uint64_t posted = control->posted.load(std::memory_order_seq_cst);
  for (std::uint64_t ticket = oldest; ticket <= posted; ++ticket) {
    Grid& grid = grids[ticket % kSlotCount];
    if (grid.ticket != ticket) {
      if (!may_begin(ticket)) continue;
      grid.ticket = ticket;
      grid.phase = Phase::Preparing;
      lock.unlock();
      if (is_wide(slot_at(ticket))) crew.wake_one_for(slot_at(ticket));
      prepare(grid);
      lock.lock();
      if (grid.cooperative) {
        promised += grid.units;
        if (!crew.make_room(busy + promised)) end_with(Outcome::LaunchFailed);
      }
      grid.phase = Phase::Ready;
      if (slot_at(ticket).timed != 0) slot_at(ticket).began = monotonic_ns();
    }
    if (join(grid, share)) {
      const bool more = finds_more(ticket, posted), released = has_released_more(ended, ticket);
      share.others_could_help = share.others_could_help || more || released;
      break;
    }
    if (ticket == oldest && grid.phase == Phase::Exhausted) ++oldest;
  }
  return share;
}

const Slot& slot_of(const Share& share) {
  return slot_at(share.grid->ticket);
}

KernelCode& code_of(const Share& share) {
  return *share.grid->code;
}

bool SharePieces::take(std::uint64_t& first, std::uint64_t& count) {
  if (taken_) end_if_asked();
  Grid& grid = *share_.grid;
  if (grid.cooperative) {
    if (taken_) return false;
    taken_ = true;
    first = share_.block;
    count = 1;
    return true;
  }
  taken_ = true;
  for (unsigned i = 0; i < grid.part_count; ++i) {
    Part& part = grid.parts[(worker_ + i) % grid.part_count];
    if (part.next.load(std::memory_order_relaxed) >= part.end) continue;
    first = part.next.fetch_add(grid.chunk, std::memory_order_relaxed);
    if (first >= part.end) continue;
    count = std::min(grid.chunk, part.end - first);
    pieces_taken[worker_ % kCounterCount].count.fetch_add(1, std::memory_order_relaxed);
    return true;
  }
  return false;
}

std::uint64_t leave(const Share& share) {
  Grid& grid = *share.grid;
  std::uint64_t ended = 0;
  {
    const std::lock_guard lock(schedule);
    --busy;
    if (!grid.cooperative || grid.next == grid.units) grid.phase = Phase::Exhausted;
    if (--grid.users == 0 && grid.phase == Phase::Exhausted) ended = grid.ticket;
  }
  if (ended != 0) tell_end(ended);
  return ended;
}

Progress progress() {
  const std::lock_guard lock(schedule);
  Progress result;
  result.waiting = oldest <= control->posted.load(std::memory_order_acquire);
  result.busy = busy;
  for (const Counter& counter : pieces_taken) result.pieces += counter.count.load(std::memory_order_relaxed);
  return result;
}

}  // namespace runner

// SPDX-License-Identifier: MIT
// Records calls of the libraries above the driver; see outer.hpp. The thread's depth is the number of calls
// that have not returned. Every record contains it, so that a reader knows which call is inside which.
#include "outer.hpp"

#include <cerrno>

#include "call.hpp"

namespace trace::interpose {
namespace {

bool enter(unsigned function, std::uintptr_t address, const std::uint64_t* words, std::size_t count,
           const CarefulSide* side) {
  Thread* const thread = this_call(address);
  if (thread == nullptr) return false;
  if (thread->depth >= wire::kDeepest) {
    header->lost.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  thread->step_inside();
  const bool recorded = write_enter(*thread, function, address, words, count, side);
  if (recorded) ++thread->depth;
  thread->step_outside();
  return recorded;
}

void leave(int result, bool ask, const Side& side) {
  Thread& thread = this_thread;
  const std::uint32_t ready = thread.ready;
  thread.step_inside();
  if (thread.depth > 0) --thread.depth;
  if (thread.epoch == *process_epoch && thread.producer.attached()) {  // else: forked inside the call
    const int saved = errno;
    write_leave(thread, result, ask, side);
    errno = saved;
  }
  thread.ready = ready;
}

void abandon() {
  if (this_thread.depth > 0) --this_thread.depth;
}

constexpr OuterCalls kCalls{kOuterVersion, wire::kWireVersion, enter, leave, abandon};

}  // namespace
}  // namespace trace::interpose

extern "C" __attribute__((visibility("default"))) const void* driverlab_outer_calls() {
  return &trace::interpose::kCalls;
}

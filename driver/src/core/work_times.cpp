// SPDX-License-Identifier: MIT
// See work_times.hpp. The two names at the end are all that a tracer sees of it.
#include "core/work_times.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>

#include "core/runner.hpp"

extern "C" {
__attribute__((visibility("default"))) api::WorkTimesWaiting driverlab_work_times_waiting{0};
__attribute__((visibility("default"))) std::size_t driverlab_take_work_times(api::WorkTime* into,
                                                                             std::size_t most);
}

namespace driver {
namespace {

std::atomic<bool> is_wanted{false};
// Of those that were not taken; a tracer takes them after each call.
constexpr std::size_t kMostKept = 65536, kMostLookedAt = 16;

}  // namespace

// Leaked, so that a thread in a call at the end of the process finds it.
WorkTimes& WorkTimes::get() {
  static auto* const made = new WorkTimes;
  return *made;
}

bool WorkTimes::wanted() {
  return is_wanted.load(std::memory_order_relaxed);
}

std::uint64_t WorkTimes::now() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

WorkTimes::Enqueued WorkTimes::stamp() {
  if (!wanted()) return {};
  return {now(), static_cast<std::uint64_t>(syscall(SYS_gettid))};
}

void WorkTimes::count() {
  driverlab_work_times_waiting.store(static_cast<std::uint32_t>(ended_.size() + running_.size()),
                                     std::memory_order_relaxed);
}

void WorkTimes::add(const Enqueued& enqueued, std::uint64_t began, std::uint64_t ended) {
  if (ended_.size() >= kMostKept) return;
  ended_.push_back(
      {enqueued.at, std::max(began, enqueued.at), std::max({ended, began, enqueued.at}), enqueued.thread});
}

template <typename Change>
void WorkTimes::change(Change change) {
  try {
    const std::lock_guard lock(lock_);
    change();
    count();
  } catch (const std::bad_alloc&) {
    return;
  }
}

void WorkTimes::note(const Enqueued& enqueued, std::uint64_t began, std::uint64_t ended) {
  if (enqueued) change([&] { add(enqueued, began, ended); });
}

void WorkTimes::note_kernel(const Enqueued& enqueued, const std::shared_ptr<Runner>& runner,
                            std::uint64_t ticket) {
  if (enqueued) change([&] { running_.push_back({enqueued, runner, ticket, nullptr}); });
}

void WorkTimes::note_moment(const Enqueued& enqueued, const CompletionPointer& moment) {
  if (enqueued) change([&] { running_.push_back({enqueued, nullptr, 0, moment}); });
}

// True: nothing more will be known of it.
bool WorkTimes::resolve(const Running& one) {
  if (one.moment != nullptr) {
    if (!one.moment->over()) return false;
    const auto at = static_cast<std::uint64_t>(one.moment->time());
    add(one.enqueued, at, at);
    return true;
  }
  std::uint64_t began = 0, ended = 0;
  switch (one.runner->times_of(one.ticket, began, ended)) {
    case Runner::Times::NotYet:
      return false;
    case Runner::Times::Known:
      add(one.enqueued, began, ended);
      return true;
    case Runner::Times::Never:
      break;
  }
  return true;
}

// A long queue is not looked through to its end at each call: the oldest end first, mostly.
void WorkTimes::look() {
  std::size_t unfinished = 0;
  std::erase_if(running_, [&](const Running& one) {
    if (unfinished >= kMostLookedAt) return false;
    const bool over = resolve(one);
    unfinished += over ? 0 : 1;
    return over;
  });
}

void WorkTimes::keep(const Runner& runner, std::uint64_t ticket) {
  change([&] {
    std::erase_if(running_, [&](const Running& one) {
      return one.runner.get() == &runner && one.ticket == ticket && resolve(one);
    });
  });
}

std::size_t WorkTimes::take(api::WorkTime* into, std::size_t most) {
  is_wanted.store(true, std::memory_order_relaxed);
  const std::lock_guard lock(lock_);
  try {
    look();
  } catch (const std::bad_alloc&) {
    most = std::min(most, ended_.size());  // what is known is given out all the same
  }
  const std::size_t taken = std::min(most, ended_.size());
  std::copy_n(ended_.begin(), taken, into);
  ended_.erase(ended_.begin(), ended_.begin() + static_cast<std::ptrdiff_t>(taken));
  count();
  return taken;
}

}  // namespace driver

std::size_t driverlab_take_work_times(api::WorkTime* into, std::size_t most) {
  return driver::WorkTimes::get().take(into, most);
}

// SPDX-License-Identifier: MIT
// Notes when work in streams began and ended, for a tracer that asks for it (api/work_times.hpp). Without one
// nothing is noted.
//
// A kernel runs in another process, which notes its times in the launch's slot: they are looked up when
// somebody takes them, or before the slot is used again. Takes no other lock and waits for nothing.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "api/work_times.hpp"
#include "core/operation.hpp"

namespace driver {

class WorkTimes {
 public:
  // When work was put into its stream, and by which thread; all 0 while nothing is noted.
  struct Enqueued {
    std::uint64_t at = 0, thread = 0;
    explicit operator bool() const { return at != 0; }
  };

  static WorkTimes& get();
  static bool wanted();
  static Enqueued stamp();
  static std::uint64_t now();  // ns of CLOCK_MONOTONIC

  // Where there is no memory for it, it is not noted.
  void note(const Enqueued& enqueued, std::uint64_t began, std::uint64_t ended);
  void note_kernel(const Enqueued& enqueued, const std::shared_ptr<Runner>& runner, std::uint64_t ticket);
  void note_moment(const Enqueued& enqueued, const CompletionPointer& moment);
  void keep(const Runner& runner, std::uint64_t ticket);  // its slot is about to be used again
  std::size_t take(api::WorkTime* into, std::size_t most);

 private:
  struct Running {
    Enqueued enqueued;
    std::shared_ptr<Runner> runner;  // of a kernel
    std::uint64_t ticket = 0;
    CompletionPointer moment;  // of a moment in the order of a stream
  };
  template <typename Change>
  void change(Change change);  // with the lock; does without what there is no memory for
  void look();                 // with the lock held
  bool resolve(const Running& one);
  void count();
  void add(const Enqueued& enqueued, std::uint64_t began, std::uint64_t ended);

  std::mutex lock_;
  std::vector<api::WorkTime> ended_;
  std::vector<Running> running_;
};

}  // namespace driver

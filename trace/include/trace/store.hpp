// SPDX-License-Identifier: MIT
// A run in memory: every event, packed (about 100 bytes a call), in order of completion, decoded on demand.
//
// One thread appends events, and any number of threads read them. at(i) for i < size() never waits for the
// writer, and packed events never move. Nothing here depends on what the calls mean.
#pragma once
#include <cstddef>
#include <memory>

#include "trace/event.hpp"

namespace trace {

// Half of this machine's memory, or of the part that this process may use, in bytes; 0 if the system does not
// say. It is the limit of a run that has no other limit.
std::size_t half_of_memory();

class Store {
 public:
  Store();
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::size_t size() const;           // events so far
  std::size_t calls() const;          // of them, calls
  std::size_t bytes() const;          // of memory
  Event at(std::size_t index) const;  // decoded; index < size()
  // These are cheap: they do not decode the arguments.
  EventKind kind_at(std::size_t index) const;
  std::int32_t result_at(std::size_t index) const;
  std::uint32_t thread_at(std::size_t index) const;
  std::uint32_t process_at(std::size_t index) const;
  std::uint64_t time_at(std::size_t index) const;
  std::uint64_t duration_at(std::size_t index) const;
  Function function_at(std::size_t index) const;      // None for what is no call
  std::uint32_t depth_at(std::size_t index) const;    // Event::depth
  std::size_t event_of_call(std::size_t call) const;  // call number (0-based) -> event index
  std::size_t calls_before(std::size_t index) const;  // number of calls among events [0, index)

  // When work in streams ran: in the order in which it became known, and beside the events.
  std::size_t work_times() const;
  WorkTime work_time_at(std::size_t index) const;  // index < work_times()
  void append(const WorkTime& time);

  // Appends a decoded event (used for Output, ends, and by readers of recordings); returns its index.
  std::size_t append(const Event& event);

  struct Impl;  // the packed form, for trace/ only
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace trace

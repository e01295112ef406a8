// SPDX-License-Identifier: MIT
// A run in memory: every event, packed (about 100 bytes a call), in order of completion, decoded on demand.
//
// One writer thread appends, any number of readers decode; at(i) for i < size() never blocks on the writer
// and never moves. It knows nothing of what calls mean.
#pragma once
#include <cstddef>
#include <memory>

#include "trace/event.hpp"

namespace trace {

// Half of this machine's memory, or of what is given to us of it, in bytes; 0 where the system does not say.
// What a run may take where nobody set another limit.
std::size_t half_of_memory();

class Store {
 public:
  Store();
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  std::size_t size() const;           // events so far
  std::size_t calls() const;          // of them, calls
  std::size_t bytes() const;          // memory held
  Event at(std::size_t index) const;  // decoded; index < size()
  // Cheap looks without decoding arguments.
  EventKind kind_at(std::size_t index) const;
  std::int32_t result_at(std::size_t index) const;
  std::uint32_t thread_at(std::size_t index) const;
  std::uint32_t process_at(std::size_t index) const;
  std::uint64_t time_at(std::size_t index) const;
  std::uint32_t depth_at(std::size_t index) const;    // Event::depth
  std::size_t event_of_call(std::size_t call) const;  // call number (0-based) -> event index
  std::size_t calls_before(std::size_t index) const;  // number of calls among events [0, index)

  // Appends a decoded event (used for Output, ends, and by readers of recordings); returns its index.
  std::size_t append(const Event& event);

  struct Impl;  // the packed form; only trace/ knows it
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

}  // namespace trace

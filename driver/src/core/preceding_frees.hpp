// SPDX-License-Identifier: MIT
// Which frees of pool memory the work of a queue comes after, by its own order and by the events that it
// waits for.
//
// Frees have numbers in the order of their calls. Work that comes after a free comes after all earlier ones
// of the same queue, so the latest one of each queue is enough. One that is over need not be remembered. Used
// by queues and events, and asked by pools. Does not depend on queues: they are only compared.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/operation.hpp"

namespace driver {

class Queue;

class PrecedingFrees {
 public:
  struct Free {
    const Queue* queue = nullptr;
    std::uint64_t number = 0;
    CompletionPointer moment;
  };

  void add(const Free& free) {
    // A queue lives until its work is over, so another queue at its address is not taken for it.
    std::erase_if(latest_, [](const Free& other) { return other.moment->over(); });
    const auto same = std::find_if(latest_.begin(), latest_.end(),
                                   [&](const Free& other) { return other.queue == free.queue; });
    if (same == latest_.end())
      latest_.push_back(free);
    else if (same->number < free.number)
      *same = free;
  }
  void add(const PrecedingFrees& others) {
    for (const Free& other : others.latest_) add(other);
  }
  bool contain(const Queue& queue, std::uint64_t number) const {
    return std::any_of(latest_.begin(), latest_.end(),
                       [&](const Free& free) { return free.queue == &queue && free.number >= number; });
  }
  bool empty() const { return latest_.empty(); }

 private:
  std::vector<Free> latest_;
};

}  // namespace driver

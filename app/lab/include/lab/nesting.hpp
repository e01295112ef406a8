// SPDX-License-Identifier: MIT
// The order of calls that make calls themselves, as those of the runtime do.
//
// A store has calls in the order in which they completed, so a call comes after the calls inside it. Readers
// expect it before them. Nothing here looks at more than some hundred or thousand neighbours of a call.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "trace/store.hpp"

namespace lab {

// Takes calls of one thread in the order in which they completed, and has them in that in which they began.
template <class Item>
class CallsBegun {
 public:
  // True if this call is inside no other: all calls inside it have been added before.
  bool add(std::uint32_t depth, Item item) {
    // Whatever is deeper and not yet inside another call lies inside this one.
    std::size_t place = calls_.size();
    for (; !outer_.empty() && calls_[outer_.back()].first > depth; outer_.pop_back()) place = outer_.back();
    calls_.insert(calls_.begin() + static_cast<std::ptrdiff_t>(place), {depth, std::move(item)});
    outer_.push_back(place);
    return depth == 0;
  }
  // The item of each call, with its depth.
  const std::vector<std::pair<std::uint32_t, Item>>& calls() const { return calls_; }
  void clear() {
    calls_.clear();
    outer_.clear();
  }

 private:
  std::vector<std::pair<std::uint32_t, Item>> calls_;
  std::vector<std::size_t> outer_;  // the places of those that are inside no other call so far
};

// Which of the first `calls` calls of a store a list shows in this row, if it shows a call before the calls
// inside it. They keep the order of the store if there are too many of them, or if another thread made a call
// in between.
std::size_t call_of_row(const trace::Store& store, std::size_t row, std::size_t calls);

// For the first call inside a call: the outermost call that contains it, if that has ended. For a call that
// is inside no other: itself. Nothing for other calls.
std::optional<std::size_t> outermost(const trace::Store& store, std::size_t event);

}  // namespace lab

// SPDX-License-Identifier: MIT
// The rows of a list of calls that is sorted by a column, or that has only the calls that were found.
//
// It changes what is listed where, and never what a call's number is: the moment of a run is a call's, not a
// row's. A bounded number of calls is taken in at a time. Owned by the thread that draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "lab/call_search.hpp"

namespace lab {

enum class CallColumn : std::uint8_t { Number, Thread, Call, Result, Time, Line };

class CallOrder {
 public:
  struct Wanted {
    CallColumn by = CallColumn::Number;
    bool descending = false;
    const CallSearch* only = nullptr;  // null: all calls
    bool usual() const { return by == CallColumn::Number && !descending && only == nullptr; }
  };
  // True if there are more calls to take in.
  bool follow_some(const trace::Store& store, const Wanted& wanted, std::size_t most);
  std::size_t rows() const { return sorted_.size(); }
  std::size_t call_at(std::size_t row) const { return sorted_[row].call; }
  std::optional<std::size_t> row_of(std::size_t call) const;

 private:
  struct Entry {
    std::uint64_t key = 0;
    std::uint32_t call = 0;
  };
  std::uint64_t key_of(const trace::Store& store, std::size_t call);

  Wanted wanted_;
  const trace::Store* store_ = nullptr;
  std::uint64_t generation_ = 0;  // of wanted_.only
  std::size_t taken_ = 0;
  std::vector<Entry> sorted_;
  std::vector<std::uint32_t> ranks_;  // of functions by name
};

}  // namespace lab

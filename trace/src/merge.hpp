// SPDX-License-Identifier: MIT
// Records of many rings put into one order: by completion.
//
// Each thread's records are in order already, but a thread may have published a call that completed earlier
// than one already seen of another thread. The rule that keeps cause before effect is in Live::poll. This
// file has the items, their reuse, and the queue. Nothing here depends on the store.
#pragma once
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "raw_call.hpp"

namespace trace {

// Whose records these are. A slot has many owners, one after another.
struct ThreadOwner {
  std::uint32_t number = 0xffffffffu;  // given when it first appears in the order
  std::uint32_t process = 0;
  std::uint32_t process_id = 0, thread_id = 0;
};

// A finished or still open call, or another thing that happened on a thread.
struct MergeItem {
  std::uint64_t ticks = 0;  // of completion
  std::uint64_t order = 0;  // among equal ticks
  std::uint64_t entered = 0;
  std::uint64_t last_inside = 0;  // ticks of the last call that completed inside this one
  EventKind kind = EventKind::Call;
  std::shared_ptr<ThreadOwner> owner;
  bool work_times = false;  // `text` has them, and `number` the driver's clock at `ticks`
  bool marked = false;
  std::uint64_t marks[2] = {};
  RawCall call;
  std::vector<std::byte> before_bytes, after_bytes;  // what the call's side data points into
  std::string text;
  std::uint64_t number = 0;

  void reset() {
    ticks = entered = last_inside = number = 0;
    kind = EventKind::Call;
    marked = work_times = false;
    call.returned = true;
    call.depth = 0;
    call.around = kNoFunction;
    call.result = 0;
    call.current.reset();
    call.file = {};
    call.line = 0;
    call.words.clear();
    call.before.clear();
    call.after.clear();
    text.clear();
  }
};

class MergeQueue {
 public:
  std::unique_ptr<MergeItem> make() {
    if (spare_.empty()) return std::make_unique<MergeItem>();
    auto item = std::move(spare_.back());
    spare_.pop_back();
    item->reset();
    return item;
  }
  void add(std::unique_ptr<MergeItem> item) {
    item->order = ++added_;
    waiting_.push_back(std::move(item));
  }

  // Returns all items up to `bound`, in order; the others wait for the next call.
  template <class Emit>
  void drain(std::uint64_t bound, Emit emit) {
    const auto earlier = [](const auto& a, const auto& b) {
      return a->ticks != b->ticks ? a->ticks < b->ticks : a->order < b->order;
    };
    if (!std::is_sorted(waiting_.begin(), waiting_.end(), earlier)) {
      std::sort(waiting_.begin(), waiting_.end(), earlier);
    }
    std::size_t done = 0;
    for (; done < waiting_.size() && waiting_[done]->ticks <= bound; ++done) {
      emit(*waiting_[done]);
      if (spare_.size() < kMostSpare) spare_.push_back(std::move(waiting_[done]));
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(done));
  }

 private:
  static constexpr std::size_t kMostSpare = 65536;
  std::uint64_t added_ = 0;
  std::vector<std::unique_ptr<MergeItem>> waiting_;
  std::vector<std::unique_ptr<MergeItem>> spare_;
};

}  // namespace trace

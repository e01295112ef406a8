// SPDX-License-Identifier: MIT
// A value that changes along a run, at any moment of it: all changes, and a copy of the value from time to
// time, so that a moment is a copy and a bounded number of changes after it. Copies of a large value are
// further apart, so together they take about as much memory as the changes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <deque>
#include <iterator>

namespace lab {

// `Value` has apply(const Change&), clear() and bytes(), and is the same after the same changes. `Kept` is
// how a change is stored: made from a Change, and has change() that gives it back.
template <class Value, class Change, class Kept>
class History {
 public:
  const Value& now() const { return now_; }

  // `event` is not less than that of the change before.
  void add(std::size_t event, const Change& change) {
    now_.apply(change);
    changes_.push_back({event, Kept(change)});
    if (changes_.size() < due_) return;
    const std::size_t size = now_.bytes();
    copies_.push_back({event, changes_.size(), now_});
    copied_bytes_ += size + sizeof(Copy);
    due_ = changes_.size() + std::max(kLeastBetweenCopies, size / sizeof(Dated));
  }

  // After the changes of the first `moment` events.
  void fill(Value& value, std::size_t moment) const {
    // The changes of a copy's last event may go on after it.
    const auto after = std::partition_point(copies_.begin(), copies_.end(),
                                            [moment](const Copy& copy) { return copy.event < moment; });
    std::size_t from = 0;
    if (after == copies_.begin()) {
      value.clear();
    } else {
      value = std::prev(after)->value;
      from = std::prev(after)->changes;
    }
    for (; from < changes_.size() && changes_[from].event < moment; ++from)
      value.apply(changes_[from].kept.change());
  }

  // All changes up to now, in their order, with the event of each.
  std::size_t size() const { return changes_.size(); }
  std::size_t event_at(std::size_t index) const { return changes_[index].event; }
  Change change_at(std::size_t index) const { return changes_[index].kept.change(); }

  std::size_t bytes() const { return changes_.size() * sizeof(Dated) + copied_bytes_ + now_.bytes(); }

 private:
  static constexpr std::size_t kLeastBetweenCopies = 64;
  struct Dated {
    std::size_t event = 0;
    Kept kept;
  };
  struct Copy {
    std::size_t event = 0;    // of the last change that led to it
    std::size_t changes = 0;  // that led to it
    Value value;
  };
  Value now_;
  std::deque<Dated> changes_;
  std::deque<Copy> copies_;
  std::size_t due_ = kLeastBetweenCopies, copied_bytes_ = 0;
};

}  // namespace lab

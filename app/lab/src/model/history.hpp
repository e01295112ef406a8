// SPDX-License-Identifier: MIT
// A value that changes along a run, at any moment of it: all changes, and a copy of the value from time to
// time, so that a moment is a copy and a bounded number of changes after it. Copies of a large value are
// further apart, so together they take about as much memory as the changes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

namespace lab {

// `Value` has apply(const Change&) and bytes(), and is the same after the same changes.
template <class Value, class Change>
class History {
 public:
  const Value& now() const { return now_; }

  // `event` is not less than that of the change before.
  void add(std::size_t event, const Change& change) {
    now_.apply(change);
    changes_.push_back({event, change});
    if (changes_.size() < due_) return;
    const std::size_t size = now_.bytes();
    copies_.push_back({changes_.size(), now_});
    copied_bytes_ += size + sizeof(Copy);
    due_ = changes_.size() + std::max(kLeastBetweenCopies, size / sizeof(Dated));
  }

  // After the changes of the first `moment` events.
  void fill(Value& value, std::size_t moment) const {
    const auto end = std::partition_point(changes_.begin(), changes_.end(),
                                          [moment](const Dated& change) { return change.event < moment; });
    const auto count = static_cast<std::size_t>(end - changes_.begin());
    const auto after = std::partition_point(copies_.begin(), copies_.end(),
                                            [count](const Copy& copy) { return copy.changes <= count; });
    std::size_t from = 0;
    if (after == copies_.begin()) {
      value = Value{};
    } else {
      value = std::prev(after)->value;
      from = std::prev(after)->changes;
    }
    for (; from < count; ++from) value.apply(changes_[from].change);
  }

  std::size_t bytes() const { return changes_.capacity() * sizeof(Dated) + copied_bytes_ + now_.bytes(); }

 private:
  static constexpr std::size_t kLeastBetweenCopies = 256;
  struct Dated {
    std::size_t event = 0;
    Change change;
  };
  struct Copy {
    std::size_t changes = 0;  // that led to it
    Value value;
  };
  Value now_;
  std::vector<Dated> changes_;
  std::vector<Copy> copies_;
  std::size_t due_ = kLeastBetweenCopies, copied_bytes_ = 0;
};

}  // namespace lab

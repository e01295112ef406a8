// SPDX-License-Identifier: MIT
// A list of things that are alive, in the order in which they were made. New things are added at the end, and
// any thing may be removed.
//
// Programs often end things in the order in which they made them, so removing the first is as cheap as adding
// one at the end: places at the front stay empty, and are freed when there are more of them than things. If a
// thing elsewhere is removed, the things on its shorter side move by one place. A copy has no empty places. A
// change makes all iterators invalid.
#pragma once
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>
#include <vector>

namespace lab {

template <class Thing>
class AliveList {
 public:
  using iterator = typename std::vector<Thing>::iterator;
  using const_iterator = typename std::vector<Thing>::const_iterator;
  using value_type = Thing;
  using const_reference = const Thing&;  // test matchers require a container
  using size_type = std::size_t;

  AliveList() = default;
  AliveList(const AliveList& other) : things_(other.begin(), other.end()) {}
  AliveList(AliveList&& other) noexcept
      : things_(std::move(other.things_)), empty_(std::exchange(other.empty_, 0)) {}
  AliveList& operator=(const AliveList& other) {
    if (this == &other) return *this;
    things_.assign(other.begin(), other.end());
    empty_ = 0;
    return *this;
  }
  AliveList& operator=(AliveList&& other) noexcept {
    things_ = std::move(other.things_);
    empty_ = std::exchange(other.empty_, 0);
    return *this;
  }
  ~AliveList() = default;

  iterator begin() { return things_.begin() + static_cast<std::ptrdiff_t>(empty_); }
  iterator end() { return things_.end(); }
  const_iterator begin() const { return things_.begin() + static_cast<std::ptrdiff_t>(empty_); }
  const_iterator end() const { return things_.end(); }
  std::size_t size() const { return things_.size() - empty_; }
  bool empty() const { return size() == 0; }
  const Thing& operator[](std::size_t i) const { return things_[empty_ + i]; }
  Thing& operator[](std::size_t i) { return things_[empty_ + i]; }
  const Thing& at(std::size_t i) const { return things_.at(empty_ + i); }  // throws std::out_of_range
  const Thing& front() const { return things_[empty_]; }
  const Thing& back() const { return things_.back(); }
  Thing& back() { return things_.back(); }
  std::size_t bytes() const { return things_.capacity() * sizeof(Thing); }

  void push_back(const Thing& thing) { things_.push_back(thing); }
  void clear() {
    things_.clear();
    empty_ = 0;
  }
  void erase(iterator at) {
    if (end() - at <= at - begin()) {
      things_.erase(at);
      return;
    }
    std::move_backward(begin(), at, std::next(at));
    *begin() = Thing{};
    ++empty_;
    if (empty_ <= size()) return;
    things_.erase(things_.begin(), begin());
    empty_ = 0;
  }

  bool operator==(const AliveList& other) const {
    return std::equal(begin(), end(), other.begin(), other.end());
  }

 private:
  std::vector<Thing> things_;  // the first `empty_` of them are no longer alive
  std::size_t empty_ = 0;
};

}  // namespace lab

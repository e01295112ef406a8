// SPDX-License-Identifier: MIT
// Completing changes when the program has no memory left.
//
// A change that has begun must be completed: freeing makes notes, and destructors must not throw. The lists
// of objects therefore allocate their entries by Assured, which takes them from a small reserve if there is
// no other memory. A call that changes anything does not begin while much of the reserve is in use
// (Reserve::ready). Everything else allocates as usual, before it changes anything, and may throw: the
// boundary turns that into OUT_OF_MEMORY.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <list>
#include <map>
#include <new>
#include <set>
#include <thread>
#include <utility>

namespace driver {

class Reserve {
 public:
  static constexpr std::size_t kCellBytes = 512;
  static constexpr unsigned kCellsAtOnce = 256;
  // Throws bad_alloc for more than a cell, and when all are in use.
  static void* take(std::size_t bytes);
  // False for memory that is not from the reserve.
  static bool give_back(void* cell);
  // Whether there is enough for the changes of one call. Used cells are replaced by new ones when there is
  // memory again.
  static bool ready() { return free_cells.load(std::memory_order_relaxed) >= kEnough || grow(); }

 private:
  static constexpr unsigned kEnough = kCellsAtOnce / 2;
  static bool grow();
  static inline constinit std::atomic<unsigned> free_cells{kCellsAtOnce};
};

template <typename Value>
class Assured {
 public:
  using value_type = Value;
  Assured() = default;
  template <typename Other>
  Assured(const Assured<Other>&) {}  // NOLINT(google-explicit-constructor): containers rebind it

  Value* allocate(std::size_t count) {
    static_assert(alignof(Value) <= alignof(std::max_align_t));
    void* const usual = ::operator new(count * sizeof(Value), std::nothrow);
    return static_cast<Value*>(usual != nullptr ? usual : Reserve::take(count * sizeof(Value)));
  }
  void deallocate(Value* values, std::size_t) {
    if (!Reserve::give_back(values)) ::operator delete(values);
  }
  template <typename Other>
  bool operator==(const Assured<Other>&) const {
    return true;
  }
};

template <typename Key, typename Value>
using AssuredMap = std::map<Key, Value, std::less<Key>, Assured<std::pair<const Key, Value>>>;
template <typename Key>
using AssuredSet = std::set<Key, std::less<Key>, Assured<Key>>;
template <typename Value>
using AssuredList = std::list<Value, Assured<Value>>;

// For work that cannot be refused any more: tried again until there is memory, for a second. The work must
// have changed nothing when it throws.
template <typename Work>
auto patiently(Work work) {
  for (int attempt = 0;; ++attempt) {
    try {
      return work();
    } catch (const std::bad_alloc&) {
      if (attempt == 100) throw;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace driver

// SPDX-License-Identifier: MIT
// The stack of contexts of one thread. The top one is current.
//
// A stack contains contexts, destroyed or not; popping and destroying are different things. Only its own
// thread uses it, so there is no lock.
#pragma once

#include <cstddef>

namespace driver {

class Context;

class ContextStack {
 public:
  static ContextStack& of_this_thread();

  Context* top() const { return size_ == 0 ? nullptr : contexts_[size_ - 1]; }
  // So that the next push succeeds.
  bool make_room() { return size_ < capacity_ || grow(); }
  bool push(Context* context) {
    if (!make_room()) return false;
    contexts_[size_++] = context;
    return true;
  }
  void pop() { --size_; }  // never on an empty stack
  bool empty() const { return size_ == 0; }
  void clear();

 private:
  bool grow();

  Context** contexts_ = nullptr;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

// In line, and without a constructor, so that a call costs no look-up and no check for one.
inline constinit thread_local ContextStack own_context_stack;

inline ContextStack& ContextStack::of_this_thread() {
  return own_context_stack;
}

}  // namespace driver

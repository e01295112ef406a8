// SPDX-License-Identifier: MIT
// ContextStack: its memory, and when a thread releases that memory.
#include "core/context_stack.hpp"

#include <cstdlib>

#include "core/of_thread.hpp"

namespace driver {
namespace {

// Gives the memory back when its thread ends, and not at exit(): in a function that atexit registered the
// context of the main thread is still current, measured on an H200. A call made later in that thread's end
// starts an empty stack.
struct AtThreadEnd {
  ~AtThreadEnd() { own_context_stack.clear(); }
};

}  // namespace

void ContextStack::clear() {
  std::free(contexts_);
  contexts_ = nullptr;
  size_ = capacity_ = 0;
}

bool ContextStack::grow() {
  OfThread<AtThreadEnd>::get();
  const std::size_t capacity = capacity_ == 0 ? 16 : capacity_ * 2;
  void* const larger = std::realloc(contexts_, capacity * sizeof(Context*));
  if (larger == nullptr) return false;
  contexts_ = static_cast<Context**>(larger);
  capacity_ = capacity;
  return true;
}

}  // namespace driver

// SPDX-License-Identifier: MIT
// With this, other threads ask the thread that draws for a poll(). It is shared, because it outlives the
// workbench if a thread still uses it.
//
// The function is called under the mutex, so none is running once it was taken away.
#pragma once
#include <functional>
#include <mutex>

namespace lab {

struct Wake {
  std::mutex mutex;
  std::function<void()> call;
  void operator()() {
    const std::lock_guard lock(mutex);
    if (call) call();
  }
};

}  // namespace lab

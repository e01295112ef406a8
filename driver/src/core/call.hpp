// SPDX-License-Identifier: MIT
// How an entry point begins: is the driver ready, the lock, and (for most) the context that the call works
// in.
//
//   Reading call;                       // shared lock, needs a current context
//   if (call.error) return call.error;
//
// The lock is taken before the context is looked at, so that it cannot be destroyed between the two.
#pragma once

#include <cstring>
#include <mutex>
#include <shared_mutex>
#include <type_traits>

#include "core/assured.hpp"
#include "core/driver.hpp"

namespace driver {

enum class Need { CurrentContext, InitialisedDriver };

template <typename Lock, Need need>
class Call {
 public:
  Call() : error(Driver::ready()) {
    if (error != CUDA_SUCCESS) return;
    lock_ = Lock(Driver::get().lock());
    if constexpr (need == Need::CurrentContext) error = current_context(context);
    if constexpr (!std::is_same_v<Lock, std::shared_lock<std::shared_mutex>>) {
      if (error == CUDA_SUCCESS && !Reserve::ready()) error = CUDA_ERROR_OUT_OF_MEMORY;
    }
  }

  // Before anything is waited for.
  void unlock() { lock_.unlock(); }

  CUresult error;
  Context* context = nullptr;

 private:
  Lock lock_;
};

using Reading = Call<std::shared_lock<std::shared_mutex>, Need::CurrentContext>;
using Changing = Call<std::unique_lock<std::shared_mutex>, Need::CurrentContext>;
using ReadingAnywhere = Call<std::shared_lock<std::shared_mutex>, Need::InitialisedDriver>;
using ChangingAnywhere = Call<std::unique_lock<std::shared_mutex>, Need::InitialisedDriver>;

// The context of a call with a stream: the current one or, if there is none, that of a stream which the
// program created. Measured: without a current context such calls succeed; those with a default stream return
// 201, and those with a stream that went with its green context 709.
CUresult context_of_call(CUstream stream, Context*& context);

class ReadingFor : public ReadingAnywhere {
 public:
  explicit ReadingFor(CUstream stream) {
    if (error == CUDA_SUCCESS) error = context_of_call(stream, context);
  }
};

class ChangingFor : public ChangingAnywhere {
 public:
  explicit ChangingFor(CUstream stream) {
    if (error == CUDA_SUCCESS) error = context_of_call(stream, context);
  }
};

// Writes the result of a query into the caller's untyped memory.
template <typename Value>
CUresult answer_with(void* result, Value value) {
  std::memcpy(result, &value, sizeof value);
  return CUDA_SUCCESS;
}

// The lock, exclusive, at a moment when `work()` (Completions, called with the lock held) has ended. Freeing
// and destroying begin with it, because they wait for work that still uses the object.
template <typename Work>
std::unique_lock<std::shared_mutex> lock_when_done(Work work) {
  if (!Reserve::ready()) throw std::bad_alloc();  // freeing, too, makes notes
  std::unique_lock lock(Driver::get().lock());
  while (true) {
    const auto left = work();
    if (left.empty()) return lock;
    lock.unlock();
    for (const auto& completion : left) completion->wait();
    lock.lock();
  }
}

}  // namespace driver

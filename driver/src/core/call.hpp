// How an entry point begins: is the driver ready, the lock, and (for most) the context that the call works
// in.
//
//   Reading call;                       // shared lock, needs a current context
//   if (call.error) return call.error;
//
// The lock is taken before the context is looked at, so that it cannot be destroyed between the two.
#pragma once

#include <mutex>
#include <shared_mutex>

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
  }

  CUresult error;
  Context* context = nullptr;

 private:
  Lock lock_;
};

using Reading = Call<std::shared_lock<std::shared_mutex>, Need::CurrentContext>;
using Changing = Call<std::unique_lock<std::shared_mutex>, Need::CurrentContext>;
using ReadingAnywhere = Call<std::shared_lock<std::shared_mutex>, Need::InitialisedDriver>;
using ChangingAnywhere = Call<std::unique_lock<std::shared_mutex>, Need::InitialisedDriver>;

}  // namespace driver

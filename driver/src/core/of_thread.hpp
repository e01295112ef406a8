// SPDX-License-Identifier: MIT
// A value that every thread has of its own and that is deleted when its thread ends.
//
// Not thread_local with a destructor: exit() destroys those of the calling thread before it calls the
// functions of atexit, which may use the driver. These values survive exit(), because a key's destructors run
// only when a thread ends. Does not depend on the driver.
#pragma once

#include <pthread.h>

#include <cstdlib>
#include <memory>

namespace driver {

template <typename Value>
class OfThread {
 public:
  // Made at the first use in each thread.
  static Value& get() {
    static constinit thread_local Value* mine = nullptr;
    if (mine == nullptr) {
      auto value = std::make_unique<Value>();
      auto owned = std::make_unique<Owned>(value.get(), &mine);
      pthread_setspecific(key(), owned.release());
      mine = value.release();
    }
    return *mine;
  }

 private:
  struct Owned {
    Owned(Value* of_thread, Value** its_place) : value(of_thread), place(its_place) {}
    Value* value;
    Value** place;  // cleared, so that an even later call while the thread ends makes a new value
  };
  static pthread_key_t key() {
    static const pthread_key_t made = [] {
      pthread_key_t fresh{};
      // Fails when a program has used up all keys (1,024); there is no way to go on without one.
      if (pthread_key_create(&fresh, &end) != 0) std::abort();
      return fresh;
    }();
    return made;
  }
  static void end(void* argument) {
    auto* const owned = static_cast<Owned*>(argument);
    *owned->place = nullptr;
    delete owned->value;
    delete owned;
  }
};

}  // namespace driver

// SPDX-License-Identifier: MIT
// A mutex that is held for some tens of nanoseconds. A thread that finds it locked spins for a moment before
// it sleeps, because going to sleep and being woken takes longer than the lock is held.
#pragma once

#include <pthread.h>

namespace runner {

class BriefMutex {
 public:
  BriefMutex() = default;
  BriefMutex(const BriefMutex&) = delete;
  BriefMutex& operator=(const BriefMutex&) = delete;
  void lock() { pthread_mutex_lock(&mutex_); }
  void unlock() { pthread_mutex_unlock(&mutex_); }

 private:
  pthread_mutex_t mutex_ = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP;
};

}  // namespace runner

// SPDX-License-Identifier: MIT
// See work_threads.hpp: a list of work, a count of idle threads, and the loop of a thread that takes from the
// list.
#include "core/work_threads.hpp"

#include <csignal>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>

namespace driver {
namespace {

class ThreadPool {
 public:
  bool add(std::function<void()> work) {
    const std::lock_guard lock(lock_);
    work_.push_back(std::move(work));
    // One idle thread for each piece of work, or they would wait for each other.
    bool started = true;
    try {
      started = idle_ >= work_.size() || start_thread();
    } catch (const std::bad_alloc&) {
      work_.pop_back();
      throw;
    }
    if (!started) {
      work_.pop_back();
      return false;
    }
    changed_.notify_one();
    return true;
  }

 private:
  bool start_thread() {
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
      std::thread([this] { run(); }).detach();
    } catch (const std::system_error&) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      return false;
    } catch (const std::bad_alloc&) {
      pthread_sigmask(SIG_SETMASK, &before, nullptr);
      throw;
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return true;
  }

  void run() {
    std::unique_lock lock(lock_);
    while (true) {
      ++idle_;
      changed_.wait(lock, [this] { return !work_.empty(); });
      --idle_;
      const std::function<void()> work = std::move(work_.front());
      work_.pop_front();
      lock.unlock();
      work();
      lock.lock();
    }
  }

  std::mutex lock_;
  std::condition_variable changed_;
  std::deque<std::function<void()>> work_;
  std::size_t idle_ = 0;
};

}  // namespace

bool run_on_a_thread(std::function<void()> work) {
  static auto* const pool = new ThreadPool;  // leaked: its threads outlive static objects
  return pool->add(std::move(work));
}

}  // namespace driver

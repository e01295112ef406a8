// SPDX-License-Identifier: MIT
// See kernel_operation.hpp. Also handles registered memory of the program: the kernel is waited for, and that
// memory is copied before it, after it, and from time to time while it runs.
#include "core/kernel_operation.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "core/assured.hpp"

namespace driver {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::microseconds kShortestPause{20};
constexpr std::chrono::milliseconds kLongestPause{1};
// Copying between takes no more than a tenth of the time, however much is registered.
constexpr int kPatience = 10;

// Where there is no memory for it, the next time will do.
void exchange(RegisteredMemory& memory) {
  try {
    memory.take();
    memory.give();
  } catch (const std::bad_alloc&) {
    return;
  }
}

}  // namespace

Started KernelOperation::run() {
  RegisteredMemory& memory = RegisteredMemory::get();
  memory.give();
  Started posted = post(0);
  if (posted.error != CUDA_SUCCESS) return posted;
  // A kernel may wait for what the program writes there, and the program for what the kernel does.
  Clock::duration pause = kShortestPause;
  Clock::time_point next = Clock::now() + kLongestPause;
  while (!runner_->finished(posted.ticket)) {
    std::this_thread::sleep_for(pause);
    pause = std::min<Clock::duration>(2 * pause, kLongestPause);
    const Clock::time_point begin = Clock::now();
    if (begin < next) continue;
    exchange(memory);
    runner_->look_after_process();
    const Clock::time_point end = Clock::now();
    next = end + std::max<Clock::duration>(kLongestPause, kPatience * (end - begin));
  }
  runner_->wait(posted.ticket);  // notes a fault
  patiently([&] { memory.take(); });
  return {};
}

}  // namespace driver

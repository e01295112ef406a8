// SPDX-License-Identifier: MIT
// Threads are kept and woken, as in a runtime, because the loops are compared, and not the making of threads.
#include "native.hpp"

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace native {
namespace {

class Team {
 public:
  Team() {
    for (unsigned i = 1; i < threads(); ++i) std::thread([this, i] { work(i); }).detach();
  }
  void run(const std::function<void(unsigned)>& part) {
    {
      const std::lock_guard lock(mutex_);
      part_ = &part;
      left_ = threads() - 1;
      ++round_;
    }
    wake_.notify_all();
    part(0);
    while (left_.load(std::memory_order_acquire) != 0) sched_yield();
  }

 private:
  void work(unsigned number) {
    for (unsigned seen = 0;;) {
      const std::function<void(unsigned)>* part = nullptr;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return round_ != seen; });
        seen = round_;
        part = part_;
      }
      (*part)(number);
      left_.fetch_sub(1, std::memory_order_release);
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  const std::function<void(unsigned)>* part_ = nullptr;
  unsigned round_ = 0;
  std::atomic<unsigned> left_{0};
};

// Ranges of about the same size, one a thread.
void in_parts(int n, const std::function<void(int, int, unsigned)>& part) {
  static auto* const team = new Team;
  const int count = static_cast<int>(threads());
  team->run([&](unsigned number) {
    const int from = static_cast<int>(static_cast<long>(n) * static_cast<int>(number) / count);
    const int to = static_cast<int>(static_cast<long>(n) * (static_cast<int>(number) + 1) / count);
    part(from, to, number);
  });
}

}  // namespace

unsigned threads() {
  cpu_set_t cores;
  return sched_getaffinity(0, sizeof cores, &cores) == 0 ? static_cast<unsigned>(CPU_COUNT(&cores)) : 1;
}

void saxpy(int n, float a, const float* x, float* y) {
  in_parts(n, [&](int from, int to, unsigned) {
    for (int i = from; i < to; ++i) y[i] = a * x[i] + y[i];
  });
}

void matmul(const float* a, const float* b, float* c, int n) {
  in_parts(n, [&](int from, int to, unsigned) {
    for (int row = from; row < to; ++row) {
      std::fill(c + row * n, c + row * n + n, 0.0F);
      for (int k = 0; k < n; ++k)
        for (int column = 0; column < n; ++column) c[row * n + column] += a[row * n + k] * b[k * n + column];
    }
  });
}

float sum(const float* in, int n) {
  std::vector<float> sums(threads());
  in_parts(n, [&](int from, int to, unsigned number) {
    float parts[16] = {};
    int i = from;
    for (; i + 16 <= to; i += 16)
      for (int lane = 0; lane < 16; ++lane) parts[lane] += in[i + lane];
    float total = 0;
    for (; i < to; ++i) total += in[i];
    for (const float part : parts) total += part;
    sums[number] = total;
  });
  float total = 0;
  for (const float part : sums) total += part;
  return total;
}

}  // namespace native

// SPDX-License-Identifier: MIT
// A made-up run for benchmarks, as long as wanted: a few threads that push, pop and set contexts, and
// allocate, copy and free so that about 10,000 allocations are alive. The same in every process.
#pragma once
#include <random>
#include <vector>

#include "support/events.hpp"
#include "trace/store.hpp"

namespace bench {

// A long run has the proportions of a training loop: mostly copies, launches and allocations, and sometimes a
// call about contexts.
class Program {
 public:
  explicit Program(trace::Store& store) : store_(store) {
    for (std::uint64_t i = 0; i < kContexts; ++i) append(run_.create(handle(i), i % 2));
    for (std::uint32_t thread = 1; thread < kThreads; ++thread)
      append(run_.push(handle(thread)).thread(thread));
  }

  void make_call() {
    const std::uint64_t dice = random_() % 100;
    const auto thread = static_cast<std::uint32_t>(random_() % kThreads);
    if (dice < 20 || (dice < 42 && live_.size() <= kLive))
      allocate(thread);
    else if (dice < 42)
      free(thread);
    else if (dice < 44)
      append(run_.push(handle(random_() % kContexts)).thread(thread));
    else if (dice < 46)
      append(run_.pop(0).thread(thread));
    else if (dice < 48)
      append(run_.set(handle(random_() % kContexts)).thread(thread));
    else if (dice < 70)
      append(run_.call("cuLaunchKernel")
                 .thread(thread)
                 .in("f", 0x5000, trace::ValueKind::Handle)
                 .in("gridDimX", 128)
                 .in("gridDimY", 1)
                 .in("gridDimZ", 1)
                 .in("blockDimX", 256)
                 .in("blockDimY", 1)
                 .in("blockDimZ", 1)
                 .in("sharedMemBytes", 0)
                 .in("hStream", 0, trace::ValueKind::Handle)
                 .in("kernelParams", 0x7ffd1000, trace::ValueKind::HostPointer)
                 .in("extra", 0, trace::ValueKind::HostPointer));
    else
      append(run_.call("cuMemcpyHtoD")
                 .thread(thread)
                 .in("dstDevice", live_.empty() ? 0 : live_[random_() % live_.size()],
                     trace::ValueKind::DevicePointer)
                 .in("srcHost", 0x7ffd2000, trace::ValueKind::HostPointer)
                 .in("ByteCount", 4096, trace::ValueKind::Size));
  }

 private:
  static constexpr std::uint64_t kContexts = 6, kLive = 10000;
  static constexpr std::uint32_t kThreads = 4;

  static std::uint64_t handle(std::uint64_t i) { return 0x55550000 + 0x100 * i; }

  void allocate(std::uint32_t thread) {
    next_address_ += 4096;
    live_.push_back(next_address_);
    append(run_.allocate(next_address_, 4000).thread(thread));
  }

  void free(std::uint32_t thread) {
    std::swap(live_[random_() % live_.size()], live_.back());
    append(run_.free(live_.back()).thread(thread));
    live_.pop_back();
  }

  void append(support::Call& call) {
    call.event().t_ns = store_.size() * 1000;
    call.event().address = 0x555555550000 + random_() % 64 * 16;
    call.event().file = "main.cpp";
    call.event().line = static_cast<std::uint32_t>(1 + random_() % 64);
    if (call.event().current) *call.event().current = call.event().arguments.front().word;
    if (call.event().name == "cuCtxCreate") call.event().current = call.event().arguments.front().out;
    store_.append(call.event());
    run_.calls().clear();
  }

  trace::Store& store_;
  support::Run run_;
  std::mt19937_64 random_{1};
  std::vector<std::uint64_t> live_;
  std::uint64_t next_address_ = 0x7f0000000000;
};

}  // namespace bench

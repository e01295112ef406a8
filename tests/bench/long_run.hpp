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

// Many threads that put work into many streams of one context, with events between them, and sometimes wait.
// When the work ran is told, as the embedded driver does.
class StreamProgram {
 public:
  static constexpr std::uint32_t kThreads = 64, kStreams = 32;

  explicit StreamProgram(trace::Store& store) : store_(store) {
    append(run_.create(kContext), 0);
    for (std::uint64_t i = 0; i < kStreams; ++i) {
      append(run_.call("cuStreamCreate").out_handle("phStream", "CUstream", stream(i)).in("Flags", i % 2), 0);
      append(run_.call("cuEventCreate").out_handle("phEvent", "CUevent", event(i)).in("Flags", 0), 0);
    }
    for (std::uint32_t thread = 1; thread < kThreads; ++thread) append(run_.set(kContext), thread);
  }

  void make_call() {
    const std::uint64_t dice = random_() % 100, which = random_() % kStreams;
    const auto thread = static_cast<std::uint32_t>(random_() % kThreads);
    if (dice < 60)
      fill(thread, which);
    else if (dice < 75)
      append(run_.call("cuEventRecord")
                 .handle("hEvent", "CUevent", event(which))
                 .handle("hStream", "CUstream", stream(which)),
             thread);
    else if (dice < 85)
      append(run_.call("cuStreamWaitEvent")
                 .handle("hStream", "CUstream", stream(which))
                 .handle("hEvent", "CUevent", event(random_() % kStreams)),
             thread);
    else
      append(run_.call("cuStreamSynchronize").handle("hStream", "CUstream", stream(which)), thread);
  }

 private:
  static constexpr std::uint64_t kContext = 0x55550000, kTime = 1000;

  static std::uint64_t stream(std::uint64_t i) { return 0x66660000 + 0x100 * i; }
  static std::uint64_t event(std::uint64_t i) { return 0x77770000 + 0x100 * i; }

  void fill(std::uint32_t thread, std::uint64_t which) {
    const std::uint64_t begin = store_.size() * kTime;
    append(run_.call("cuMemsetD8Async")
               .in("dstDevice", 0x7f0000000000, trace::ValueKind::DevicePointer)
               .in("uc", 0)
               .in("N", 4096, trace::ValueKind::Size)
               .handle("hStream", "CUstream", stream(which)),
           thread);
    store_.append(trace::WorkTime{thread, begin + 20, begin + 500, begin + 500 + random_() % 20'000});
  }

  void append(support::Call& call, std::uint32_t thread) {
    call.thread(thread);
    call.event().t_ns = store_.size() * kTime;
    call.event().dur_ns = 40 + random_() % (kThreads * kTime / 2);
    call.event().result = random_() % 5000 == 0 ? 1 : 0;
    store_.append(call.event());
    run_.calls().clear();
  }

  trace::Store& store_;
  support::Run run_;
  std::mt19937_64 random_{2};
};

}  // namespace bench

// SPDX-License-Identifier: MIT
// When work in streams ran, as the embedded driver tells a tracer (api/work_times.hpp). A real driver has no
// such function, so these tests are skipped there.
#include <dlfcn.h>
#include <sys/syscall.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "api/work_times.hpp"
#include "support.hpp"

namespace {

// `spin` ends when the host has written a 1; `nothing` at once.
constexpr char kKernels[] = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry spin(.param .u64 gate) {
  .reg .pred %p<2>; .reg .b32 %r<2>; .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [gate];
again:
  ld.volatile.global.u32 %r1, [%rd1]; setp.ne.u32 %p1, %r1, 1; @%p1 bra again;
  ret;
}
.visible .entry nothing() { ret; }
)";

std::uint64_t now() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

class WorkTimes : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    take_ = reinterpret_cast<api::TakeWorkTimes*>(dlsym(RTLD_DEFAULT, api::kTakeWorkTimes));
    waiting_ = static_cast<const api::WorkTimesWaiting*>(dlsym(RTLD_DEFAULT, api::kWorkTimesWaiting));
    if (take_ == nullptr || waiting_ == nullptr) GTEST_SKIP() << "a driver that does not tell";
    make_context();
    ASSERT_OK(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    ASSERT_OK(cuMemAllocHost(reinterpret_cast<void**>(&gate_), sizeof *gate_));
    *gate_ = 0;
    take();  // from now on they are noted; and what an earlier test left
  }
  std::vector<api::WorkTime> take() {
    std::vector<api::WorkTime> all(1000);
    all.resize(take_(all.data(), all.size()));
    return all;
  }
  void launch(const char* kernel, void** arguments = nullptr) {
    CUfunction function = nullptr;
    ASSERT_OK(cuModuleGetFunction(&function, module_, kernel));
    ASSERT_OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr));
  }
  void close_gate() {
    ASSERT_OK(cuStreamWaitValue32(stream_, reinterpret_cast<CUdeviceptr>(gate_), 1, CU_STREAM_WAIT_VALUE_EQ));
  }
  void open_gate() { std::atomic_ref(*gate_).store(1); }

  api::TakeWorkTimes* take_ = nullptr;
  const api::WorkTimesWaiting* waiting_ = nullptr;
  CUmodule module_ = nullptr;
  CUstream stream_ = nullptr;
  unsigned* gate_ = nullptr;
};

TEST_F(WorkTimes, work_that_waited_began_and_ended_after_what_it_waited_for) {
  const CUdeviceptr memory = allocate(64);
  const std::uint64_t before = now();
  close_gate();
  ASSERT_OK(cuMemsetD8Async(memory, 1, 64, stream_));
  const std::uint64_t enqueued = now();
  EXPECT_TRUE(take().empty());
  const std::uint64_t opened = now();
  open_gate();
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_NE(0u, waiting_->load());
  const std::vector<api::WorkTime> times = take();
  ASSERT_EQ(2u, times.size());
  for (const api::WorkTime& time : times) {
    EXPECT_LE(before, time.enqueued);
    EXPECT_LE(time.enqueued, enqueued);
    EXPECT_LE(opened, time.ended);
    EXPECT_EQ(static_cast<std::uint64_t>(syscall(SYS_gettid)), time.thread);
  }
  EXPECT_LE(times[0].ended, times[1].began);  // a stream does one thing after the other
  EXPECT_LE(opened, times[1].began);
  EXPECT_LE(times[1].ended, now());
  EXPECT_TRUE(take().empty());  // each is handed over once
  EXPECT_EQ(0u, waiting_->load());
}

TEST_F(WorkTimes, a_kernel_runs_until_the_host_lets_it_end_and_the_next_one_begins_after_it) {
  ASSERT_OK(cuModuleLoadData(&module_, kKernels));
  launch("nothing");
  ASSERT_OK(cuStreamSynchronize(stream_));
  take();
  const std::uint64_t before = now();
  void* arguments[] = {&gate_};
  launch("spin", arguments);
  launch("nothing");
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const std::uint64_t opened = now();
  open_gate();
  ASSERT_OK(cuStreamSynchronize(stream_));
  const std::uint64_t after = now();
  const std::vector<api::WorkTime> times = take();
  ASSERT_EQ(2u, times.size());
  EXPECT_LE(before, times[0].began);
  EXPECT_LE(opened, times[0].ended);
  EXPECT_LE(times[0].ended, times[1].began);
  EXPECT_LE(times[1].began, times[1].ended);
  EXPECT_LE(times[1].ended, after);
}

TEST_F(WorkTimes, thousands_of_launches_are_told_each_once) {
  ASSERT_OK(cuModuleLoadData(&module_, kKernels));
  constexpr std::size_t kLaunches = 2000;
  for (std::size_t i = 0; i < kLaunches; ++i) launch("nothing");
  ASSERT_OK(cuStreamSynchronize(stream_));
  std::size_t taken = 0;
  for (std::vector<api::WorkTime> times = take(); !times.empty(); times = take()) taken += times.size();
  EXPECT_EQ(kLaunches, taken);
}

TEST_F(WorkTimes, an_event_is_a_point_in_its_stream) {
  CUevent event = nullptr;
  ASSERT_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  close_gate();
  ASSERT_OK(cuEventRecord(event, stream_));
  const std::uint64_t opened = now();
  open_gate();
  ASSERT_OK(cuEventSynchronize(event));
  const std::vector<api::WorkTime> times = take();
  ASSERT_EQ(2u, times.size());
  EXPECT_LE(times[0].ended, times[1].ended);
  EXPECT_LE(opened, times[1].ended);
}

TEST_F(WorkTimes, a_wait_in_another_stream_ends_with_the_event_and_before_what_follows_it) {
  CUevent event = nullptr;
  CUstream other = nullptr;
  const CUdeviceptr memory = allocate(64);
  ASSERT_OK(cuEventCreate(&event, CU_EVENT_DEFAULT));
  ASSERT_OK(cuStreamCreate(&other, CU_STREAM_NON_BLOCKING));
  close_gate();
  ASSERT_OK(cuEventRecord(event, stream_));
  const std::uint64_t before = now();
  ASSERT_OK(cuStreamWaitEvent(other, event, CU_EVENT_WAIT_DEFAULT));
  const std::uint64_t after = now();
  ASSERT_OK(cuMemsetD8Async(memory, 1, 64, other));
  const std::uint64_t opened = now();
  open_gate();
  ASSERT_OK(cuStreamSynchronize(other));
  const std::vector<api::WorkTime> times = take();
  ASSERT_EQ(4u, times.size());  // the gate, the event, the wait, the fill
  const auto wait = std::find_if(times.begin(), times.end(), [&](const api::WorkTime& time) {
    return before <= time.enqueued && time.enqueued <= after;
  });
  const auto fill = std::find_if(times.begin(), times.end(),
                                 [&](const api::WorkTime& time) { return time.enqueued > after; });
  ASSERT_NE(times.end(), wait);
  ASSERT_NE(times.end(), fill);
  EXPECT_LE(opened, wait->ended);
  EXPECT_LE(wait->ended, fill->began);
}

}  // namespace

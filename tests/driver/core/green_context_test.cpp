// SPDX-License-Identifier: MIT
// Green contexts: dividing a device's multiprocessors, what belongs to a green context and what to the
// primary context, and what waits for what. The H200's results are compared by the truth tests.
#include <atomic>
#include <chrono>
#include <set>
#include <vector>

#include "support.hpp"

namespace {

class GreenContexts : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    EXPECT_OK(cuDevicePrimaryCtxRetain(&primary_, 0));
  }
  void TearDown() override {
    EXPECT_OK(cuCtxSetCurrent(primary_));
    for (unsigned* const gate : gates_) std::atomic_ref(*gate).store(1);
    for (const CUgreenCtx green : greens_) EXPECT_OK(cuGreenCtxDestroy(green));
    EXPECT_OK(cuDevicePrimaryCtxRelease(0));
    DriverTest::TearDown();
  }

  static CUdevResource all() {
    CUdevResource resource{};
    EXPECT_OK(cuDeviceGetDevResource(0, &resource, CU_DEV_RESOURCE_TYPE_SM));
    return resource;
  }
  static std::vector<CUdevResource> split(unsigned count) {
    const CUdevResource whole = all();
    std::vector<CUdevResource> groups(count);
    EXPECT_OK(cuDevSmResourceSplitByCount(groups.data(), &count, &whole, nullptr, 0, 0));
    EXPECT_EQ(count, groups.size());
    return groups;
  }
  // Destroyed after the test if it still lives.
  CUgreenCtx green_of(CUdevResource resource) { return green_of(std::vector{resource}); }
  CUgreenCtx green_of(std::vector<CUdevResource> resources) {
    CUdevResourceDesc description = nullptr;
    EXPECT_OK(
        cuDevResourceGenerateDesc(&description, resources.data(), static_cast<unsigned>(resources.size())));
    CUgreenCtx green = nullptr;
    EXPECT_OK(cuGreenCtxCreate(&green, description, 0, CU_GREEN_CTX_DEFAULT_STREAM));
    greens_.push_back(green);
    return green;
  }
  void destroy_green(CUgreenCtx green) {
    EXPECT_OK(cuGreenCtxDestroy(green));
    std::erase(greens_, green);
  }
  static CUcontext context_of(CUgreenCtx green) {
    CUcontext context = nullptr;
    EXPECT_OK(cuCtxFromGreenCtx(&context, green));
    return context;
  }
  static CUstream stream_of(CUgreenCtx green) {
    CUstream stream = nullptr;
    EXPECT_OK(cuGreenCtxStreamCreate(&stream, green, CU_STREAM_NON_BLOCKING, 0));
    return stream;
  }
  // The stream waits until its gate is opened.
  unsigned* close(CUstream stream) {
    unsigned* gate = nullptr;
    EXPECT_OK(cuMemAllocHost(reinterpret_cast<void**>(&gate), sizeof *gate));
    *gate = 0;
    gates_.push_back(gate);
    EXPECT_OK(cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(gate), 1, CU_STREAM_WAIT_VALUE_EQ));
    return gate;
  }

  CUcontext primary_ = nullptr;

 private:
  std::vector<unsigned*> gates_;
  std::vector<CUgreenCtx> greens_;
};

TEST_F(GreenContexts, a_split_gives_groups_of_one_size_and_the_rest) {
  const CUdevResource whole = all();
  std::vector<CUdevResource> groups(2);
  CUdevResource rest{};
  unsigned count = 2;
  ASSERT_OK(
      cuDevSmResourceSplitByCount(groups.data(), &count, &whole, &rest, 0, whole.sm.minSmPartitionSize + 1));
  ASSERT_EQ(count, 2U);
  EXPECT_EQ(groups[0].sm.smCount, whole.sm.minSmPartitionSize + whole.sm.smCoscheduledAlignment);
  EXPECT_EQ(groups[0].sm.smCount, groups[1].sm.smCount);
  EXPECT_EQ(rest.sm.smCount, whole.sm.smCount - 2 * groups[0].sm.smCount);
}

TEST_F(GreenContexts, a_split_without_groups_only_counts_them) {
  const CUdevResource whole = all();
  unsigned count = 0;
  ASSERT_OK(cuDevSmResourceSplitByCount(nullptr, &count, &whole, nullptr, 0, whole.sm.smCount));
  EXPECT_EQ(count, 1U);
}

TEST_F(GreenContexts, its_context_is_made_current_and_uses_the_primary_context_s_memory) {
  const CUcontext own = context_of(green_of(split(1)[0]));
  ASSERT_NE(own, primary_);
  ASSERT_OK(cuCtxSetCurrent(own));
  CUcontext current = nullptr;
  EXPECT_OK(cuCtxGetCurrent(&current));
  EXPECT_EQ(current, own);
  CUdeviceptr memory = 0;
  ASSERT_OK(cuMemAlloc(&memory, 64));
  ASSERT_OK(cuCtxSetCurrent(primary_));
  EXPECT_OK(cuMemsetD32(memory, 7, 16));
  EXPECT_OK(cuMemFree(memory));
}

TEST_F(GreenContexts, a_stream_knows_its_green_context) {
  const CUgreenCtx green = green_of(split(1)[0]);
  const CUstream stream = stream_of(green);
  CUgreenCtx found = nullptr;
  EXPECT_OK(cuStreamGetGreenCtx(stream, &found));
  EXPECT_EQ(found, green);
  CUcontext context = nullptr;
  EXPECT_OK(cuStreamGetCtx(stream, &context));
  EXPECT_EQ(context, context_of(green));
}

TEST_F(GreenContexts, a_stream_of_the_primary_context_has_no_green_context) {
  EXPECT_OK(cuCtxSetCurrent(primary_));
  CUstream stream = nullptr;
  ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  auto found = reinterpret_cast<CUgreenCtx>(1);
  EXPECT_OK(cuStreamGetGreenCtx(stream, &found));
  EXPECT_EQ(found, nullptr);
}

TEST_F(GreenContexts, waiting_for_one_does_not_wait_for_another) {
  const std::vector<CUdevResource> groups = split(2);
  const CUgreenCtx one = green_of(groups[0]), other = green_of(groups[1]);
  const CUstream stream = stream_of(one);
  ASSERT_OK(cuCtxSetCurrent(primary_));
  unsigned* const gate = close(stream);
  ASSERT_OK(cuCtxSetCurrent(context_of(other)));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_RESULT(CUDA_ERROR_NOT_READY, cuStreamQuery(stream));
  std::atomic_ref(*gate).store(1);
  ASSERT_OK(cuCtxSetCurrent(primary_));
  EXPECT_OK(cuCtxSynchronize());
  EXPECT_OK(cuStreamQuery(stream));
}

TEST_F(GreenContexts, an_event_of_the_primary_context_comes_after_the_work_of_green_ones) {
  const std::vector<CUdevResource> groups = split(2);
  const CUgreenCtx one = green_of(groups[0]), other = green_of(groups[1]);
  const CUstream stream = stream_of(one);
  ASSERT_OK(cuCtxSetCurrent(primary_));
  CUevent all_work = nullptr, other_work = nullptr;
  ASSERT_OK(cuEventCreate(&all_work, 0));
  ASSERT_OK(cuEventCreate(&other_work, 0));
  unsigned* const gate = close(stream);
  ASSERT_OK(cuCtxRecordEvent(primary_, all_work));
  ASSERT_OK(cuGreenCtxRecordEvent(other, other_work));
  EXPECT_OK(cuEventQuery(other_work));
  EXPECT_RESULT(CUDA_ERROR_NOT_READY, cuEventQuery(all_work));
  std::atomic_ref(*gate).store(1);
  EXPECT_OK(cuEventSynchronize(all_work));
}

TEST_F(GreenContexts, an_event_of_a_context_has_the_time_at_which_its_last_work_ended) {
  const std::vector<CUdevResource> groups = split(2);
  const CUstream first = stream_of(green_of(groups[0])), second = stream_of(green_of(groups[1]));
  ASSERT_OK(cuCtxSetCurrent(primary_));
  CUevent start = nullptr, end = nullptr;
  ASSERT_OK(cuEventCreate(&start, 0));
  ASSERT_OK(cuEventCreate(&end, 0));
  unsigned* const gate = close(first);
  unsigned* const later = close(second);
  ASSERT_OK(cuEventRecord(start, nullptr));
  ASSERT_OK(cuCtxRecordEvent(primary_, end));
  std::atomic_ref(*gate).store(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  std::atomic_ref(*later).store(1);
  ASSERT_OK(cuEventSynchronize(end));
  float milliseconds = 0;
  ASSERT_OK(cuEventElapsedTime(&milliseconds, start, end));
  EXPECT_GE(milliseconds, 29.0F);
  EXPECT_LT(milliseconds, 60'000.0F);
}

TEST_F(GreenContexts, a_green_context_waits_for_an_event_and_others_do_not) {
  const std::vector<CUdevResource> groups = split(2);
  const CUgreenCtx one = green_of(groups[0]), other = green_of(groups[1]);
  const CUstream first = stream_of(one), second = stream_of(other);
  ASSERT_OK(cuCtxSetCurrent(primary_));
  CUstream closed = nullptr;
  ASSERT_OK(cuStreamCreate(&closed, CU_STREAM_NON_BLOCKING));
  CUevent event = nullptr;
  ASSERT_OK(cuEventCreate(&event, 0));
  unsigned* const gate = close(closed);
  ASSERT_OK(cuEventRecord(event, closed));
  ASSERT_OK(cuGreenCtxWaitEvent(one, event));
  EXPECT_RESULT(CUDA_ERROR_NOT_READY, cuStreamQuery(first));
  EXPECT_OK(cuStreamQuery(second));
  std::atomic_ref(*gate).store(1);
  EXPECT_OK(cuStreamSynchronize(first));
}

// As on hardware, where its blocks would not fit otherwise.
TEST_F(GreenContexts, a_cooperative_launch_is_on_every_multiprocessor_of_its_context) {
  const char* const ptx = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry where(.param .u64 out) {
  .reg .u64 %rd<3>;
  .reg .u32 %r<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %smid;
  mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd2, %r2, 4;
  add.u64 %rd1, %rd1, %rd2;
  st.global.u32 [%rd1], %r1;
  ret;
}
)";
  const std::vector<CUdevResource> groups = split(2);
  const std::vector<CUstream> streams{nullptr, stream_of(green_of(groups[0])),
                                      stream_of(green_of(groups[1]))};
  const std::vector<unsigned> counts{all().sm.smCount, groups[0].sm.smCount, groups[1].sm.smCount};
  ASSERT_OK(cuCtxSetCurrent(primary_));
  CUmodule module = nullptr;
  CUfunction where = nullptr;
  ASSERT_OK(cuModuleLoadData(&module, ptx));
  ASSERT_OK(cuModuleGetFunction(&where, module, "where"));
  std::set<unsigned> seen;
  for (const std::size_t i : {1U, 2U, 0U}) {
    const CUdeviceptr out = allocate(counts[i] * sizeof(unsigned));
    void* arguments[] = {const_cast<CUdeviceptr*>(&out)};
    ASSERT_OK(cuLaunchCooperativeKernel(where, counts[i], 1, 1, 32, 1, 1, 0, streams[i], arguments));
    ASSERT_OK(cuCtxSynchronize());
    std::vector<unsigned> numbers(counts[i]);
    ASSERT_OK(cuMemcpyDtoH(numbers.data(), out, numbers.size() * sizeof(unsigned)));
    if (i == 0) seen.clear();
    seen.insert(numbers.begin(), numbers.end());
    EXPECT_EQ(seen.size(), i == 2 ? counts[1] + counts[2] : counts[i]);
    EXPECT_OK(cuMemFree(out));
  }
  EXPECT_OK(cuModuleUnload(module));
}

TEST_F(GreenContexts, its_streams_go_with_it_and_its_memory_stays) {
  const CUgreenCtx green = green_of(split(1)[0]);
  const CUstream stream = stream_of(green);
  ASSERT_OK(cuCtxSetCurrent(context_of(green)));
  const CUdeviceptr memory = allocate(64);
  destroy_green(green);
  EXPECT_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamSynchronize(stream));
  ASSERT_OK(cuCtxSetCurrent(primary_));
  EXPECT_OK(cuMemFree(memory));
}

TEST_F(GreenContexts, its_streams_are_gone_whatever_is_current) {
  const CUgreenCtx green = green_of(split(1)[0]);
  const CUstream stream = stream_of(green);
  destroy_green(green);
  for (const CUcontext current : {CUcontext{}, primary_}) {
    ASSERT_OK(cuCtxSetCurrent(current));
    EXPECT_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamQuery(stream));
    EXPECT_RESULT(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuStreamDestroy(stream));
  }
}

TEST_F(GreenContexts, multiprocessors_that_are_described_twice_count_twice_up_to_the_whole_device) {
  const std::vector<CUdevResource> groups = split(2);
  const auto count_of = [this](const std::vector<CUdevResource>& resources) {
    CUdevResource own{};
    EXPECT_OK(cuGreenCtxGetDevResource(green_of(resources), &own, CU_DEV_RESOURCE_TYPE_SM));
    return own.sm.smCount;
  };
  EXPECT_EQ(count_of({groups[0], groups[1]}), 2 * groups[0].sm.smCount);
  EXPECT_EQ(count_of({groups[0], groups[0]}), 2 * groups[0].sm.smCount);
  EXPECT_EQ(count_of({groups[0], all()}), all().sm.smCount);
}

TEST_F(GreenContexts, it_keeps_the_primary_context_active) {
  const CUgreenCtx green = green_of(split(1)[0]);
  const auto active = [] {
    unsigned flags = 0;
    int result = 0;
    EXPECT_OK(cuDevicePrimaryCtxGetState(0, &flags, &result));
    return result;
  };
  ASSERT_OK(cuDevicePrimaryCtxRelease(0));
  EXPECT_EQ(active(), 1);
  destroy_green(green);
  EXPECT_EQ(active(), 0);
  ASSERT_OK(cuDevicePrimaryCtxRetain(&primary_, 0));
}

}  // namespace

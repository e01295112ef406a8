// SPDX-License-Identifier: MIT
// The program's own memory in kernels, which run in another process: what both write is kept, and each sees
// in time what the other wrote.
#include <cstdlib>
#include <memory>

#include "support.hpp"

namespace {

const char* const code = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry twice(.param .u64 p, .param .u32 n) {
  .reg .b64 %d<3>; .reg .b32 %r<7>; .reg .pred %p1;
  ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;
  setp.ge.u32 %p1, %r5, %r1; @%p1 bra DONE;
  mul.wide.u32 %d2, %r5, 4; add.u64 %d1, %d1, %d2;
  ld.global.u32 %r6, [%d1]; shl.b32 %r6, %r6, 1; st.global.u32 [%d1], %r6;
DONE: ret;
}
.visible .entry answer(.param .u64 p) {
  .reg .b64 %d1; .reg .b32 %r1; .reg .pred %p1;
  ld.param.u64 %d1, [p]; mov.u32 %r1, 1; st.volatile.global.u32 [%d1], %r1;
AGAIN: ld.volatile.global.u32 %r1, [%d1+4]; setp.eq.u32 %p1, %r1, 0; @%p1 bra AGAIN;
  add.u32 %r1, %r1, 1; st.volatile.global.u32 [%d1+8], %r1; ret;
}
)";

class RegisteredMemoryTest : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    make_context();
    ASSERT_OK(cuModuleLoadData(&module_, code));
    ASSERT_OK(cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING));
    pages_.reset(static_cast<unsigned*>(std::aligned_alloc(4096, bytes)));
    std::memset(pages_.get(), 0, bytes);
  }
  void TearDown() override {
    for (void* const address : registered_) EXPECT_OK(cuMemHostUnregister(address));
    DriverTest::TearDown();
  }
  void add(void* address, std::size_t size) {
    ASSERT_OK(cuMemHostRegister(address, size, CU_MEMHOSTREGISTER_DEVICEMAP));
    registered_.push_back(address);
  }
  CUresult launch(const char* name, void* address, unsigned count) {
    CUfunction function = nullptr;
    if (const CUresult error = cuModuleGetFunction(&function, module_, name)) return error;
    void* parameters[] = {static_cast<void*>(&address), &count};
    return cuLaunchKernel(function, (count + 127) / 128, 1, 1, 128, 1, 1, 0, stream_, parameters, nullptr);
  }

  static constexpr std::size_t bytes = std::size_t{64} * 4096;
  std::unique_ptr<unsigned, decltype(&std::free)> pages_{nullptr, &std::free};
  std::vector<void*> registered_;
  CUmodule module_ = nullptr;
  CUstream stream_ = nullptr;
};

TEST_F(RegisteredMemoryTest, kernels_read_and_write_it_where_the_program_has_it) {
  unsigned* const words = pages_.get() + 3;  // neither end lies on a page
  const unsigned count = bytes / 4 - 10;
  for (unsigned i = 0; i < count; ++i) words[i] = i;
  add(words, std::size_t{4} * count);
  ASSERT_OK(launch("twice", words, count));
  ASSERT_OK(launch("twice", words, count));
  ASSERT_OK(cuStreamSynchronize(stream_));
  for (unsigned i = 0; i < count; ++i) ASSERT_EQ(4 * i, words[i]) << i;
  EXPECT_EQ(0U, words[count]) << "not registered";
  words[7] = 100;
  ASSERT_OK(launch("twice", words, count));
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(200U, words[7]);
  EXPECT_EQ(64U, words[8]);
}

TEST_F(RegisteredMemoryTest, two_ranges_may_lie_in_one_page) {
  unsigned* const words = pages_.get();
  for (unsigned i = 0; i < 3000; ++i) words[i] = 1;
  add(words + 10, 40);
  add(words + 30, 8000);
  add(words + 2030, 4);
  ASSERT_OK(launch("twice", words + 10, 10));
  ASSERT_OK(launch("twice", words + 30, 2000));
  ASSERT_OK(launch("twice", words + 2030, 1));
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(1U, words[9]);
  EXPECT_EQ(2U, words[10]);
  EXPECT_EQ(2U, words[19]);
  EXPECT_EQ(1U, words[20]);
  EXPECT_EQ(1U, words[29]);
  EXPECT_EQ(2U, words[30]);
  EXPECT_EQ(2U, words[2029]);
  EXPECT_EQ(2U, words[2030]);
  EXPECT_EQ(1U, words[2031]);
  // The page stays for the second when the first goes.
  ASSERT_OK(cuMemHostUnregister(words + 10));
  registered_.erase(registered_.begin());
  ASSERT_OK(launch("twice", words + 30, 2000));
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(4U, words[30]);
  EXPECT_EQ(2U, words[10]);
}

TEST_F(RegisteredMemoryTest, a_kernel_and_the_program_can_talk_through_it) {
  volatile unsigned* const words = pages_.get();
  add(pages_.get(), 4096);
  ASSERT_OK(launch("answer", pages_.get(), 1));
  while (words[0] == 0) std::this_thread::yield();
  EXPECT_RESULT(CUDA_ERROR_NOT_READY, cuStreamQuery(stream_));
  words[500] = 77;  // the kernel does not touch it
  words[1] = 41;
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(42U, words[2]);
  EXPECT_EQ(77U, words[500]);
}

TEST_F(RegisteredMemoryTest, kernels_of_a_graph_use_it_too) {
  unsigned* const words = pages_.get();
  words[0] = 3;
  ASSERT_OK(cuStreamBeginCapture(stream_, CU_STREAM_CAPTURE_MODE_GLOBAL));
  ASSERT_OK(launch("twice", words, 1));
  ASSERT_OK(launch("twice", words, 1));
  CUgraph graph = nullptr;
  ASSERT_OK(cuStreamEndCapture(stream_, &graph));
  CUgraphExec ready = nullptr;
  ASSERT_OK(cuGraphInstantiate(&ready, graph, 0));
  add(words, 4);
  ASSERT_OK(cuGraphLaunch(ready, stream_));
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(12U, words[0]);
  ASSERT_OK(cuGraphExecDestroy(ready));
  ASSERT_OK(cuGraphDestroy(graph));
}

TEST_F(RegisteredMemoryTest, it_is_the_same_for_every_context) {
  unsigned* const words = pages_.get();
  words[0] = 5;
  add(words, 64);
  ASSERT_OK(launch("twice", words, 1));
  ASSERT_OK(cuStreamSynchronize(stream_));
  make_context(device_count() - 1);
  ASSERT_OK(cuModuleLoadData(&module_, code));
  stream_ = nullptr;
  ASSERT_OK(launch("twice", words, 1));
  ASSERT_OK(cuCtxSynchronize());
  EXPECT_EQ(20U, words[0]);
}

TEST_F(RegisteredMemoryTest, copies_stand_in_order_with_kernels_that_use_it) {
  unsigned* const words = pages_.get();
  for (unsigned i = 0; i < 1000; ++i) words[i] = i;
  add(words, 4000);
  CUdeviceptr device = 0;
  ASSERT_OK(cuMemAlloc(&device, 4000));
  const auto address = reinterpret_cast<CUdeviceptr>(words);
  ASSERT_OK(launch("twice", words, 1000));
  ASSERT_OK(cuMemcpyAsync(device, address, 4000, stream_));
  ASSERT_OK(cuMemsetD32Async(address, 9, 500, stream_));
  ASSERT_OK(launch("twice", words, 1000));
  ASSERT_OK(cuStreamSynchronize(stream_));
  EXPECT_EQ(18U, words[499]);
  EXPECT_EQ(2000U, words[500]);
  unsigned kept = 0;
  ASSERT_OK(cuMemcpyDtoH(&kept, device + 1996, 4));
  EXPECT_EQ(998U, kept);
}

}  // namespace

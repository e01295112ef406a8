// SPDX-License-Identifier: MIT
// Blocks and launches, and the workers that share them: each block runs once, and what may run does.
//
// Held against results only: how many workers there are, and who runs what, is the driver's business.
#include "support.hpp"

namespace {

constexpr const char* kernels = R"(
.version 7.0
.target sm_60
.address_size 64
.visible .entry count(.param .u64 p) {
  .reg .pred %p<2>; .reg .b64 %rd<4>; .reg .b32 %r<3>;
  mov.u32 %r1, %tid.x; setp.ne.u32 %p1, %r1, 0; @%p1 ret;
  ld.param.u64 %rd1, [p]; mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2;
  red.global.add.u32 [%rd3], 1; ret;
}
.visible .entry wait(.param .u64 p, .param .u32 n) {
  .reg .pred %p<2>; .reg .b64 %rd<2>; .reg .b32 %r<3>;
  ld.param.u64 %rd1, [p]; ld.param.u32 %r1, [n];
LOOP:
  ld.volatile.global.u32 %r2, [%rd1]; setp.lt.u32 %p1, %r2, %r1; @%p1 bra LOOP; ret;
}
.visible .entry let_go(.param .u64 p) {
  .reg .b64 %rd<2>; ld.param.u64 %rd1, [p]; red.global.add.u32 [%rd1], 1; ret;
}
)";

class Schedule : public DriverTest {
 protected:
  void SetUp() override {
    DriverTest::SetUp();
    make_context();
    CUmodule module = nullptr;
    ASSERT_OK(cuModuleLoadData(&module, kernels));
    ASSERT_OK(cuModuleGetFunction(&count_, module, "count"));
    ASSERT_OK(cuModuleGetFunction(&wait_, module, "wait"));
    ASSERT_OK(cuModuleGetFunction(&let_go_, module, "let_go"));
    for (CUstream& stream : streams_) ASSERT_OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
  }
  static void launch(CUfunction kernel, unsigned blocks, unsigned threads, CUstream stream,
                     CUdeviceptr address, unsigned number = 0) {
    void* arguments[] = {&address, &number};
    ASSERT_OK(cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 0, stream, arguments, nullptr));
  }

  CUfunction count_ = nullptr, wait_ = nullptr, let_go_ = nullptr;
  CUstream streams_[3] = {};
};

TEST_F(Schedule, every_block_of_large_and_small_launches_runs_once) {
  constexpr unsigned sizes[] = {1, 2, 7, 31, 32, 33, 65, 500, 4099};
  constexpr unsigned largest = 4099, rounds = 40;
  CUdeviceptr counters[3] = {};
  for (CUdeviceptr& each : counters) {
    each = allocate(largest * 4);
    ASSERT_OK(cuMemsetD32(each, 0, largest));
  }
  for (unsigned round = 0; round < rounds; ++round)
    for (const unsigned size : sizes)
      for (unsigned i = 0; i < 3; ++i)
        launch(count_, size, size % 2 == 0 ? 256 : 1, streams_[i], counters[i]);
  ASSERT_OK(cuCtxSynchronize());
  for (const CUdeviceptr each : counters) {
    std::vector<unsigned> found(largest);
    ASSERT_OK(cuMemcpyDtoH(found.data(), each, largest * 4));
    for (unsigned block = 0; block < largest; ++block) {
      unsigned expected = 0;
      for (const unsigned size : sizes) expected += block < size ? rounds : 0;
      ASSERT_EQ(expected, found[block]) << "block " << block;
    }
  }
}

// A kernel that runs until another one releases it, which waits behind others: the worker that ended those
// must see that it may begin now, or a sleeping worker has to be woken for it.
TEST_F(Schedule, a_kernel_that_waits_for_one_in_another_stream_ends) {
  const CUdeviceptr flag = allocate(4), counters = allocate(64 * 4);
  ASSERT_OK(cuMemsetD32(flag, 0, 1));
  for (unsigned round = 1; round <= 100; ++round) {
    for (unsigned i = 0; i < round % 4; ++i) launch(count_, 1 + 20 * i, 32, streams_[1], counters);
    launch(count_, 8, 1, streams_[0], counters);
    launch(wait_, 1, 1, streams_[0], flag, round);
    for (unsigned i = 0; i < round % 3; ++i) launch(count_, 1, 1, streams_[0], counters);
    launch(count_, 64, 256, streams_[1], counters);
    launch(let_go_, 1, 1, streams_[1], flag);
    ASSERT_OK(round % 2 == 0 ? cuCtxSynchronize() : cuStreamSynchronize(streams_[0]));
  }
  ASSERT_OK(cuCtxSynchronize());
}

// A worker that looks by itself may see two launches at once, and nobody has been woken for the second.
TEST_F(Schedule, two_launches_of_which_the_first_waits_for_the_second_end) {
  const CUdeviceptr flag = allocate(4);
  ASSERT_OK(cuMemsetD32(flag, 0, 1));
  for (unsigned round = 1; round <= 2000; ++round) {
    launch(wait_, 1, 1, streams_[2], flag, round - 1);
    ASSERT_OK(cuCtxSynchronize());
    launch(wait_, 1, 1, streams_[0], flag, round);
    launch(let_go_, 1, 1, streams_[1], flag);
    ASSERT_OK(cuCtxSynchronize());
  }
}

TEST_F(Schedule, a_launch_behind_one_that_has_just_ended_runs) {
  const CUdeviceptr number = allocate(4);
  ASSERT_OK(cuMemsetD32(number, 0, 1));
  constexpr unsigned rounds = 3000;
  CUcontext current = nullptr;
  for (unsigned round = 0; round < rounds; ++round) {
    // The second finds the first running, about to end, or over.
    launch(let_go_, 1, 1, streams_[0], number);
    for (unsigned i = 0; i < round % 64; ++i) cuCtxGetCurrent(&current);
    launch(let_go_, 1, 1, streams_[0], number);
    ASSERT_OK(cuStreamSynchronize(streams_[0]));
  }
  unsigned found = 0;
  ASSERT_OK(cuMemcpyDtoH(&found, number, 4));
  EXPECT_EQ(2 * rounds, found);
}

}  // namespace

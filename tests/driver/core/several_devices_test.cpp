// SPDX-License-Identifier: MIT
// One launch on several devices: that the kernels run at the same time, that the blocks of each can wait for
// each other, and that a launch which is refused leaves nothing behind. What it returns and what waits for
// what is compared with two H200s in truth/.
#include "support.hpp"

namespace {

// meet: each block counts itself in and waits until all have come, then once more, and says what it saw.
// greet: says that it has begun, and waits for another's word.
constexpr const char* kernels_that_meet = R"(
.version 7.0
.target sm_60
.address_size 64
.visible .entry meet(.param .u64 p, .param .u64 q) {
  .reg .pred %p<2>; .reg .b64 %rd<4>; .reg .b32 %r<6>;
  ld.param.u64 %rd1, [p]; mov.u32 %r1, %nctaid.x; mov.u32 %r2, %ctaid.x;
  red.global.add.u32 [%rd1], 1;
FIRST:
  ld.volatile.global.u32 %r3, [%rd1]; setp.lt.u32 %p1, %r3, %r1; @%p1 bra FIRST;
  red.global.add.u32 [%rd1+4], 1;
SECOND:
  ld.volatile.global.u32 %r3, [%rd1+4]; setp.lt.u32 %p1, %r3, %r1; @%p1 bra SECOND;
  mul.wide.u32 %rd2, %r2, 4; add.u64 %rd3, %rd1, %rd2; st.global.u32 [%rd3+8], %r3; ret;
}
.visible .entry greet(.param .u64 mine, .param .u64 other) {
  .reg .pred %p<2>; .reg .b64 %rd<3>; .reg .b32 %r<2>;
  ld.param.u64 %rd1, [mine]; ld.param.u64 %rd2, [other];
  st.volatile.global.u32 [%rd1], 1;
AGAIN:
  ld.volatile.global.u32 %r1, [%rd2]; setp.eq.u32 %p1, %r1, 0; @%p1 bra AGAIN; ret;
}
)";

class SeveralDevices : public DriverTest {
 protected:
  struct Device {
    CUcontext context = nullptr;
    CUmodule module = nullptr;
    CUstream stream = nullptr;
    CUdeviceptr memory = 0;
  };
  void SetUp() override {
    DriverTest::SetUp();
    if (device_count() < 2) GTEST_SKIP() << "needs two devices";
    for (int i = 0; i < 2; ++i) {
      Device& each = devices_[i];
      each.context = make_context(i);
      ASSERT_OK(cuModuleLoadData(&each.module, kernels_that_meet));
      ASSERT_OK(cuStreamCreate(&each.stream, CU_STREAM_NON_BLOCKING));
      each.memory = allocate(bytes);
      ASSERT_OK(cuMemsetD8(each.memory, 0, bytes));
    }
  }
  CUDA_LAUNCH_PARAMS part(int device, const char* name, unsigned blocks, void** parameters) {
    CUDA_LAUNCH_PARAMS part{};
    const Device& on = devices_[device];
    EXPECT_OK(cuModuleGetFunction(&part.function, on.module, name));
    part.gridDimX = blocks;
    part.gridDimY = part.gridDimZ = part.blockDimX = part.blockDimY = part.blockDimZ = 1;
    part.hStream = on.stream;
    part.kernelParams = parameters;
    return part;
  }
  std::vector<unsigned> words(int device, std::size_t count) {
    std::vector<unsigned> result(count);
    EXPECT_OK(cuCtxPushCurrent(devices_[device].context));
    EXPECT_OK(cuMemcpyDtoH(result.data(), devices_[device].memory, count * sizeof(unsigned)));
    EXPECT_OK(cuCtxPopCurrent(nullptr));
    return result;
  }
  void wait_for_both() {
    for (const Device& each : devices_) EXPECT_OK(cuStreamSynchronize(each.stream));
  }

  static constexpr std::size_t bytes = 4096;
  Device devices_[2];
};

TEST_F(SeveralDevices, the_blocks_of_each_device_wait_for_each_other) {
  constexpr unsigned blocks = 40;
  void* of_first[] = {&devices_[0].memory, &devices_[0].memory};
  void* of_second[] = {&devices_[1].memory, &devices_[1].memory};
  CUDA_LAUNCH_PARAMS both[] = {part(0, "meet", blocks, of_first), part(1, "meet", blocks, of_second)};
  ASSERT_OK(cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
  wait_for_both();
  for (int device = 0; device < 2; ++device)
    EXPECT_EQ(std::vector<unsigned>(2 + blocks, blocks), words(device, 2 + blocks));
}

TEST_F(SeveralDevices, kernels_of_both_devices_run_at_the_same_time) {
  void* host = nullptr;
  ASSERT_OK(cuMemHostAlloc(&host, 64, CU_MEMHOSTALLOC_PORTABLE));
  std::memset(host, 0, 64);
  CUdeviceptr one = reinterpret_cast<CUdeviceptr>(host), other = one + 4;
  void* of_first[] = {&one, &other};
  void* of_second[] = {&other, &one};
  CUDA_LAUNCH_PARAMS both[] = {part(0, "greet", 1, of_first), part(1, "greet", 1, of_second)};
  for (unsigned flags = 0; flags < 4; ++flags) {
    std::memset(host, 0, 64);
    ASSERT_OK(cuLaunchCooperativeKernelMultiDevice(both, 2, flags));
    wait_for_both();
  }
  EXPECT_OK(cuMemFreeHost(host));
}

TEST_F(SeveralDevices, nothing_runs_if_one_of_the_launches_is_refused) {
  void* of_first[] = {&devices_[0].memory, &devices_[0].memory};
  CUDA_LAUNCH_PARAMS both[] = {part(0, "meet", 1, of_first), part(1, "meet", 1, nullptr)};
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
  wait_for_both();
  EXPECT_EQ(std::vector<unsigned>(3, 0), words(0, 3));
  both[1].kernelParams = of_first;
  both[1].function = both[0].function;
  EXPECT_RESULT(CUDA_ERROR_INVALID_HANDLE, cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
  both[1] = both[0];
  EXPECT_RESULT(CUDA_ERROR_INVALID_DEVICE, cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
  wait_for_both();
  EXPECT_EQ(std::vector<unsigned>(3, 0), words(0, 3));
}

TEST_F(SeveralDevices, more_blocks_than_fit_at_once_are_too_large_and_none_at_all_are_invalid) {
  void* of_first[] = {&devices_[0].memory, &devices_[0].memory};
  void* of_second[] = {&devices_[1].memory, &devices_[1].memory};
  CUDA_LAUNCH_PARAMS both[] = {part(0, "meet", 1'000'000, of_first), part(1, "meet", 1'000'000, of_second)};
  EXPECT_RESULT(CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
  for (CUDA_LAUNCH_PARAMS& each : both) each.gridDimX = 1, each.blockDimX = 0;
  EXPECT_RESULT(CUDA_ERROR_INVALID_VALUE, cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
}

TEST_F(SeveralDevices, a_capture_that_it_meets_becomes_invalid) {
  void* of_first[] = {&devices_[0].memory, &devices_[0].memory};
  void* of_second[] = {&devices_[1].memory, &devices_[1].memory};
  CUDA_LAUNCH_PARAMS both[] = {part(0, "meet", 1, of_first), part(1, "meet", 1, of_second)};
  ASSERT_OK(cuStreamBeginCapture(devices_[1].stream, CU_STREAM_CAPTURE_MODE_RELAXED));
  EXPECT_RESULT(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
  CUgraph graph = nullptr;
  EXPECT_RESULT(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED, cuStreamEndCapture(devices_[1].stream, &graph));
  EXPECT_EQ(nullptr, graph);
  EXPECT_OK(cuLaunchCooperativeKernelMultiDevice(both, 2, 0));
  wait_for_both();
}

}  // namespace

// Exercise 21, a wrong answer: memory, streams and module are given back, but not the events.
#include <array>

#include "check.hpp"

constexpr int kParts = 4, kCount = 256;  // four parts of 256 ints
constexpr std::size_t kBytes = kCount * sizeof(int);

// square(numbers) replaces each of 256 ints by its square, with one block of 256 threads.
inline constexpr const char* kCode = R"(.version 7.0
.target sm_75
.address_size 64

.visible .entry square(.param .u64 numbers) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [numbers];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  mul.lo.u32 %r2, %r2, %r2;
  st.global.u32 [%rd3], %r2;
  ret;
}
)";

// Squares four parts. `in` and `out` are pinned host memory. For each part: a copy to the device in the
// stream `copies`, the kernel in the stream `work`, and a copy back in the stream `copies`. Events make the
// order, and the host waits once, at the end. Leaves nothing behind.
void square_all(const int* in, int* out) {
  CUmodule module = nullptr;
  CUfunction square = nullptr;
  CUstream copies = nullptr, work = nullptr;
  std::array<CUdeviceptr, kParts> parts = {};
  std::array<CUevent, kParts> arrived = {}, done = {};
  check(cuModuleLoadData(&module, kCode));
  check(cuModuleGetFunction(&square, module, "square"));
  check(cuStreamCreate(&copies, CU_STREAM_NON_BLOCKING));
  check(cuStreamCreate(&work, CU_STREAM_NON_BLOCKING));
  for (std::size_t i = 0; i < kParts; ++i) {
    check(cuMemAlloc(&parts[i], kBytes));
    check(cuEventCreate(&arrived[i], CU_EVENT_DISABLE_TIMING));
    check(cuEventCreate(&done[i], CU_EVENT_DISABLE_TIMING));
  }

  for (std::size_t i = 0; i < kParts; ++i) {
    check(cuMemcpyHtoDAsync(parts[i], in + i * kCount, kBytes, copies));
    check(cuEventRecord(arrived[i], copies));
    check(cuStreamWaitEvent(work, arrived[i], CU_EVENT_WAIT_DEFAULT));
    void* parameters[] = {&parts[i]};
    check(cuLaunchKernel(square, 1, 1, 1, kCount, 1, 1, 0, work, parameters, nullptr));
    check(cuEventRecord(done[i], work));
  }
  for (std::size_t i = 0; i < kParts; ++i) {
    check(cuStreamWaitEvent(copies, done[i], CU_EVENT_WAIT_DEFAULT));
    check(cuMemcpyDtoHAsync(out + i * kCount, parts[i], kBytes, copies));
  }
  check(cuStreamSynchronize(copies));

  for (std::size_t i = 0; i < kParts; ++i) {
    check(cuMemFree(parts[i]));
  }
  check(cuStreamDestroy(work));
  check(cuStreamDestroy(copies));
  check(cuModuleUnload(module));
}

int main() {
  CUcontext context = nullptr;
  void *in = nullptr, *out = nullptr;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuMemAllocHost(&in, kParts * kBytes));
  check(cuMemAllocHost(&out, kParts * kBytes));
  int *const numbers = static_cast<int*>(in), *const squares = static_cast<int*>(out);
  for (int i = 0; i < kParts * kCount; ++i) numbers[i] = i, squares[i] = -1;

  square_all(numbers, squares);
  int wrong = 0;
  for (int i = 0; i < kParts * kCount; ++i) wrong += squares[i] == i * i ? 0 : 1;
  std::printf("part 3 ends with %d\n", squares[kParts * kCount - 1]);
  claim("all 1,024 squares are right", wrong == 0);

  check(cuMemFreeHost(in));
  check(cuMemFreeHost(out));
  check(cuCtxDestroy(context));
}

// SPDX-License-Identifier: MIT
// A kernel run by compiled code and by the reference interpreter, each in a context of its own.
//
// Uses cuda.h only: which of the two runs a context's kernels is said to its process by the environment.
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

namespace both_ways {

struct Shape {
  unsigned grid = 1;
  unsigned x = 32, y = 1, z = 1;
  unsigned threads() const { return grid * x * y * z; }
};

struct Answer {
  CUresult result = CUDA_SUCCESS;
  std::vector<std::uint32_t> words;
  bool operator==(const Answer&) const = default;
};

// The kernel "k" takes the address of `count` words, zeros before it runs, and a number.
inline Answer run(const char* way, const std::string& ptx, const Shape& shape, std::size_t count,
                  std::uint32_t number) {
  setenv("DRIVERLAB_KERNELS", way, 1);
  Answer answer;
  answer.words.resize(count);
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction kernel = nullptr;
  CUdeviceptr out = 0;
  EXPECT_EQ(cuInit(0), CUDA_SUCCESS);
  EXPECT_EQ(cuCtxCreate(&context, nullptr, 0, 0), CUDA_SUCCESS);
  const CUresult loaded = cuModuleLoadData(&module, ptx.c_str());
  EXPECT_EQ(loaded, CUDA_SUCCESS) << ptx;
  if (loaded == CUDA_SUCCESS) {
    EXPECT_EQ(cuModuleGetFunction(&kernel, module, "k"), CUDA_SUCCESS);
    EXPECT_EQ(cuMemAlloc(&out, count * 4), CUDA_SUCCESS);
    EXPECT_EQ(cuMemsetD32(out, 0, count), CUDA_SUCCESS);
    void* parameters[] = {&out, &number};
    EXPECT_EQ(
        cuLaunchKernel(kernel, shape.grid, 1, 1, shape.x, shape.y, shape.z, 0, nullptr, parameters, nullptr),
        CUDA_SUCCESS);
    answer.result = cuCtxSynchronize();
    if (answer.result == CUDA_SUCCESS) {
      EXPECT_EQ(cuMemcpyDtoH(answer.words.data(), out, count * 4), CUDA_SUCCESS);
    }
  }
  cuCtxDestroy(context);
  return answer;
}

inline Answer compiled(const std::string& ptx, const Shape& shape, std::size_t count, std::uint32_t number) {
  return run("compiled", ptx, shape, count, number);
}
inline Answer interpreted(const std::string& ptx, const Shape& shape, std::size_t count,
                          std::uint32_t number) {
  return run("interpreted", ptx, shape, count, number);
}

inline std::string kernel(const std::string& body) {
  return ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 n) "
         "{\n" +
         body + "}\n";
}

// Where this thread's word lies: %rd1 after it; %r1 its number, %r2 the launch's.
inline const char* const own_word =
    "  .reg .pred %p<40>; .reg .b32 %r<200>; .reg .b64 %rd<20>; .reg .f32 %f<20>;\n"
    "  mov.u32 %r190, %ctaid.x; mov.u32 %r191, %ntid.x; mov.u32 %r192, %tid.x;\n"
    "  mov.u32 %r193, %ntid.y; mov.u32 %r194, %tid.y; mov.u32 %r195, %tid.z;\n"
    "  mad.lo.s32 %r196, %r195, %r193, %r194; mad.lo.s32 %r3, %r196, %r191, %r192;\n"
    "  mov.u32 %r197, %ntid.z; mul.lo.s32 %r198, %r191, %r193; mul.lo.s32 %r198, %r198, %r197;\n"
    "  mad.lo.s32 %r1, %r190, %r198, %r3; ld.param.u32 %r2, [n]; ld.param.u64 %rd2, [out];\n"
    "  mul.wide.u32 %rd3, %r1, 4; add.s64 %rd1, %rd2, %rd3;\n";

}  // namespace both_ways

// Exercise 11, a wrong answer: "a block may have 1024 threads in each direction". It may have 1024 in all,
// and at most 64 in z.
#include <array>

#include "check.hpp"

// What does each call return? The kernel is report, which has six parameters. A device has these limits: a
// block has at most 1024 threads in all, and 1024, 1024 and 64 in x, y and z; a grid has at most 2147483647,
// 65535 and 65535 blocks in x, y and z; a launch may ask for 49152 bytes of shared memory.
constexpr std::array<CUresult, 12> kPredicted = {
    CUDA_ERROR_INVALID_VALUE,   // 1: a grid of 0 blocks
    CUDA_ERROR_INVALID_VALUE,   // 2: blocks of 1025 threads in x
    CUDA_SUCCESS,               // 3: blocks of 32, 32 and 1 threads
    CUDA_SUCCESS,               // 4: blocks of 32, 32 and 2 threads
    CUDA_SUCCESS,               // 5: blocks of 1, 1 and 65 threads
    CUDA_SUCCESS,               // 6: a grid of 65536 blocks in x
    CUDA_ERROR_INVALID_VALUE,   // 7: a grid of 65536 blocks in y
    CUDA_ERROR_INVALID_VALUE,   // 8: 49153 bytes of shared memory
    CUDA_SUCCESS,               // 9: pointers to seven arguments
    CUDA_ERROR_INVALID_VALUE,   // 10: the arguments as pointers and in a buffer too
    CUDA_ERROR_INVALID_HANDLE,  // 11: a launch of nullptr
    CUDA_SUCCESS,               // 12: cuCtxSynchronize after all these launches
};

// Do not change anything below. compare(call) makes the call and ends the program at the first difference.
#define compare(...) compare_with_prediction(#__VA_ARGS__, (__VA_ARGS__))

void compare_with_prediction(const char* call, CUresult returned) {
  static std::size_t number = 0;
  const CUresult predicted = kPredicted.at(number++);
  const char *name = nullptr, *other = nullptr;
  check(cuGetErrorName(returned, &name));
  check(cuGetErrorName(predicted, &other));
  std::printf("%zu. %s: %s\n", number, call, name);
  if (returned == predicted) return;
  std::printf("call %zu: you predicted %s, but it returned %s\n", number, other, name);
  lesson::end_here();
}

struct alignas(8) Float2 {
  float x, y;
};
struct alignas(16) Float4 {
  float x, y, z, w;
};

int main() {
  for (std::size_t i = 0; i < kPredicted.size(); ++i)
    if (kPredicted[i] == CUDA_ERROR_UNKNOWN) {
      std::printf("call %zu has no prediction yet\n", i + 1);
      lesson::end_here();
    }

  CUcontext context = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr;
  CUfunction f = nullptr;
  CUdeviceptr out = 0;
  std::array<unsigned char, 64> buffer = {};
  std::size_t size = 48;
  int i = 1;
  Float4 v = {2, 3, 4, 5};
  char c = 6;
  float g = 7;
  Float2 w = {8, 9};
  void* six[] = {&out, &i, &v, &c, &g, &w};
  void* seven[] = {&out, &i, &v, &c, &g, &w, &i};
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&f, module, "report"));
  check(cuMemAlloc(&out, 11 * sizeof(float)));

  // The function; the grid's x, y, z; the block's x, y, z; bytes of shared memory; the stream; the arguments.
  compare(cuLaunchKernel(f, 0, 1, 1, 32, 1, 1, 0, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 1, 1, 1, 1025, 1, 1, 0, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 1, 1, 1, 32, 32, 1, 0, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 1, 1, 1, 32, 32, 2, 0, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 1, 1, 1, 1, 1, 65, 0, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 65536, 1, 1, 1, 1, 1, 0, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 1, 65536, 1, 1, 1, 1, 0, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 49153, nullptr, six, nullptr));
  compare(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, nullptr, seven, nullptr));
  compare(cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, nullptr, six, extra));
  compare(cuLaunchKernel(nullptr, 1, 1, 1, 32, 1, 1, 0, nullptr, six, nullptr));
  compare(cuCtxSynchronize());

  check(cuMemFree(out));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}

// Exercise 11, a wrong answer: "the largest alignment is right for all". It is aligned, but the arguments
// after it are at other offsets.
#include <algorithm>
#include <array>
#include <cstring>

#include "check.hpp"

struct Two {
  float x, y;
};
struct Four {
  float x, y, z, w;
};
using Bytes = std::array<unsigned char, 128>;

template <typename Value>
void put(Bytes& bytes, std::size_t& size, const Value& value, std::size_t alignment) {
  size = (size + alignment - 1) & ~(alignment - 1);
  std::memcpy(bytes.data() + size, &value, sizeof value);
  size += sizeof value;
}

// For the kernel report(float* out, int i, float4 v, char c, float f, float2 w). Change this function only.
std::size_t fill(Bytes& bytes, CUdeviceptr out, int i, Four v, char c, float f, Two w) {
  std::size_t size = 0;
  put(bytes, size, out, 16);
  put(bytes, size, i, 16);
  put(bytes, size, v, 16);
  put(bytes, size, c, 16);
  put(bytes, size, f, 16);
  put(bytes, size, w, 16);
  return size;
}

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction report = nullptr;
  CUdeviceptr out = 0;
  std::array<float, 11> back = {};
  const std::array<float, 11> expected = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 1};
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&report, module, "report"));
  check(cuMemAlloc(&out, sizeof back));
  check(cuMemsetD8(out, 0, sizeof back));

  Bytes bytes = {};
  std::size_t size = fill(bytes, out, 1, {2, 3, 4, 5}, 6, 7, {8, 9});
  void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &size,
                   CU_LAUNCH_PARAM_END};
  check(cuLaunchKernel(report, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra));
  check(cuMemcpyDtoH(back.data(), out, sizeof back));
  claim("i arrived", back[0] == expected[0]);
  claim("v arrived", std::equal(&back[1], &back[5], &expected[1]));
  claim("c and f arrived", back[5] == expected[5] && back[6] == expected[6]);
  claim("w arrived", back == expected);

  check(cuMemFree(out));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}

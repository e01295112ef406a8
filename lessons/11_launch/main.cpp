// Lesson 11: how arguments reach a kernel: as pointers to the values, or in one buffer with each value at the
// offset that the device expects. Why alignment matters, and how little of this the driver checks.
#include <array>
#include <cstring>

#include "check.hpp"

// float2 and float4, as they are called on the device. There each is aligned to its size, 8 or 16 bytes; on
// the host the program has to say so with alignas.
struct alignas(8) Float2 {
  float x, y;
};
struct alignas(16) Float4 {
  float x, y, z, w;
};
struct Plain4 {  // the same four numbers, without alignas
  float x, y, z, w;
};

using Out = std::array<float, 11>;
constexpr Out kExpected = {1, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3};

// One buffer for all arguments. add() puts a value at the next offset that is a multiple of `alignment`.
class Parameters {
 public:
  template <typename Value>
  void add(const Value& value, std::size_t alignment) {
    size_ = (size_ + alignment - 1) & ~(alignment - 1);  // ALIGN_UP
    std::memcpy(bytes_.data() + size_, &value, sizeof value);
    size_ += sizeof value;
  }
  std::size_t size() const { return size_; }
  // The last argument of cuLaunchKernel: the address of the buffer, and the size that the program states.
  void** extra(std::size_t told) {
    told_ = told;
    extra_ = {CU_LAUNCH_PARAM_BUFFER_POINTER, bytes_.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &told_,
              CU_LAUNCH_PARAM_END};
    return extra_.data();
  }

 private:
  std::array<unsigned char, 256> bytes_ = {};
  std::size_t size_ = 0, told_ = 0;
  std::array<void*, 5> extra_ = {};
};

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr;
  CUfunction report = nullptr, report_struct = nullptr;
  CUdeviceptr out = 0;
  Out back = {};
  int i = 1;
  Float4 v = {2, 3, 4, 5};
  char c = 6;
  float f = 7;
  Float2 w = {8, 9};

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&report, module, "report"));
  check(cuModuleGetFunction(&report_struct, module, "report_struct"));
  check(cuMemAlloc(&out, sizeof back));

  // step: pointers
  // One pointer to each value, in order. The driver knows how many there are, their sizes and offsets.
  void* pointers[] = {&out, &i, &v, &c, &f, &w};
  check(cuLaunchKernel(report, 2, 1, 1, 3, 1, 1, 0, nullptr, pointers, nullptr));  // grid first, then block
  i = 100;  // too late: the values were copied before the call returned
  check(cuMemcpyDtoH(back.data(), out, sizeof back));
  claim("all arguments arrived, and grid and block are as in the call", back == kExpected);
  i = 1;

  // step: layout
  // cuFuncGetParamInfo returns the offset at which the kernel expects a parameter.
  std::size_t offset = 0, size = 0;
  check(cuFuncGetParamInfo(report, 2, &offset, &size));
  claim("v is not at 12, right after i, but at 16, and has 16 bytes", offset == 16 && size == 16);
  check(cuFuncGetParamInfo(report, 4, &offset, &size));
  claim("f is not at 33, right after c, but at 36", offset == 36 && size == 4);
  expect(CUDA_ERROR_INVALID_VALUE, cuFuncGetParamInfo(report, 6, &offset, &size));

  // step: buffer
  Parameters aligned;
  aligned.add(out, alignof(CUdeviceptr));
  aligned.add(i, alignof(int));
  aligned.add(v, 16);
  aligned.add(c, alignof(char));
  aligned.add(f, alignof(float));
  aligned.add(w, 8);
  check(cuLaunchKernel(report, 2, 1, 1, 3, 1, 1, 0, nullptr, nullptr, aligned.extra(aligned.size())));
  check(cuMemcpyDtoH(back.data(), out, sizeof back));
  claim("the same arguments arrived", back == kExpected);

  // step: packed
  // Without alignment every call succeeds, but the values are not at the offsets at which the kernel reads.
  Parameters packed;
  packed.add(out, 1), packed.add(i, 1), packed.add(v, 1), packed.add(c, 1), packed.add(f, 1),
      packed.add(w, 1);
  check(cuLaunchKernel(report, 2, 1, 1, 3, 1, 1, 0, nullptr, nullptr, packed.extra(aligned.size())));
  check(cuMemcpyDtoH(back.data(), out, sizeof back));
  claim("v.x received what was meant for v.y", back[1] == 3);

  // step: structs
  // The same mistake inside a struct: without alignas it has 20 bytes on the host, and 32 on the device.
  struct {
    float f = 1;
    Plain4 v = {2, 3, 4, 5};
    std::array<float, 3> next = {-1, -2, -3};  // what happens to follow it in the host's memory
  } wrong;
  struct {
    float f = 1;
    Float4 v = {2, 3, 4, 5};
  } right;
  check(cuFuncGetParamInfo(report_struct, 1, &offset, &size));
  claim("the device's struct has 32 bytes", size == 32 && sizeof right == 32);
  void* with_wrong[] = {&out, &wrong};
  check(cuLaunchKernel(report_struct, 1, 1, 1, 1, 1, 1, 0, nullptr, with_wrong, nullptr));
  check(cuMemcpyDtoH(back.data(), out, sizeof back));
  claim("v.x received v.w, and v.y the number after it", back[1] == 5 && back[2] == -1);
  void* with_right[] = {&out, &right};
  check(cuLaunchKernel(report_struct, 1, 1, 1, 1, 1, 1, 0, nullptr, with_right, nullptr));
  check(cuMemcpyDtoH(back.data(), out, sizeof back));
  claim("with alignas(16) all numbers arrived", back[1] == 2 && back[4] == 5);

  // step: checks
  // The driver rejects a buffer that is too large, and a launch without arguments, but not a smaller buffer.
  expect(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
         cuLaunchKernel(report, 2, 1, 1, 3, 1, 1, 0, nullptr, nullptr, aligned.extra(4000)));
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(report, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  check(cuLaunchKernel(report, 2, 1, 1, 3, 1, 1, 0, nullptr, nullptr, aligned.extra(44)));

  // step: clean_up
  check(cuMemFree(out));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}

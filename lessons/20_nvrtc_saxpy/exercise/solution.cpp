// Exercise 20, one way to do it: ask for the instance before compiling, and for its name afterwards.
#include <string>

#include "check_nvrtc.hpp"

constexpr const char* kSource = R"(template <typename T> __global__ void scale(T* values, T by) {
  values[threadIdx.x] *= by;
}
)";

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));

  const char* const options[] = {"--gpu-architecture=compute_75"};
  nvrtcProgram program = nullptr;
  std::size_t size = 0;
  std::string name = "scale<float>";
  check(nvrtcCreateProgram(&program, kSource, "scale.cu", 0, nullptr, nullptr));
  check(nvrtcAddNameExpression(program, "scale<float>"));
  check(nvrtcCompileProgram(program, 1, options));
  check(nvrtcGetPTXSize(program, &size));
  std::string ptx(size, '\0');
  check(nvrtcGetPTX(program, ptx.data()));
  const char* lowered = nullptr;
  check(nvrtcGetLoweredName(program, "scale<float>", &lowered));
  name = lowered;  // a copy: the text is freed with the program
  check(nvrtcDestroyProgram(&program));

  CUmodule module = nullptr;
  CUfunction scale = nullptr;
  CUdeviceptr values = 0;
  float by = 3, last = 0;
  void* arguments[] = {&values, &by};
  check(cuModuleLoadData(&module, ptx.c_str()));
  check(cuModuleGetFunction(&scale, module, name.c_str()));
  check(cuMemAlloc(&values, 64 * sizeof(float)));
  check(cuMemsetD32(values, 0x40000000, 64));  // the bits of 2.0F
  check(cuLaunchKernel(scale, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&last, values + 63 * sizeof(float), sizeof last));
  claim("2 times 3 is 6", last == 6);

  check(cuMemFree(values));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}

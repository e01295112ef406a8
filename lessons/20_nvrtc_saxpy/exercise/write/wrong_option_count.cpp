// Exercise 20, a wrong answer: the second option stands in the array, but the call is told that there is one.
#include <string>

#include "check_nvrtc.hpp"

// It cannot be compiled until FACTOR is defined, and this text does not define it.
inline constexpr const char* kSource = R"(extern "C" __global__ void scale(int* values) {
  values[threadIdx.x] *= FACTOR;
}
)";

// Compiles kSource for compute_75, with `option` as one more option unless it is null. Returns whether it was
// compiled. `*ptx` receives the PTX, and `*log` what the compiler said.
bool compile(const char* option, std::string* ptx, std::string* log) {
  const char* const options[] = {"--gpu-architecture=compute_75", option};
  nvrtcProgram program = nullptr;
  std::size_t size = 0;
  check(nvrtcCreateProgram(&program, kSource, "scale.cu", 0, nullptr, nullptr));
  const nvrtcResult result = nvrtcCompileProgram(program, 1, options);
  check(nvrtcGetProgramLogSize(program, &size));
  log->assign(size, '\0');
  check(nvrtcGetProgramLog(program, log->data()));
  if (result == NVRTC_SUCCESS) {
    check(nvrtcGetPTXSize(program, &size));
    ptx->assign(size, '\0');
    check(nvrtcGetPTX(program, ptx->data()));
  }
  check(nvrtcDestroyProgram(&program));
  return result == NVRTC_SUCCESS;
}

// Loads the PTX, runs scale with 32 threads on 32 ints that are all `value`, and returns the last one. Leaves
// nothing behind.
int scaled(const std::string& ptx, int value) {
  CUmodule module = nullptr;
  CUfunction scale = nullptr;
  CUdeviceptr values = 0;
  int last = 0;
  check(cuModuleLoadData(&module, ptx.c_str()));
  check(cuModuleGetFunction(&scale, module, "scale"));
  check(cuMemAlloc(&values, 32 * sizeof(int)));
  check(cuMemsetD32(values, static_cast<unsigned>(value), 32));
  void* parameters[] = {&values};
  check(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuMemcpyDtoH(&last, values + 31 * sizeof(int), sizeof last));
  check(cuMemFree(values));
  check(cuModuleUnload(module));
  return last;
}

int main() {
  std::string ptx, log;
  claim("without FACTOR there is an error, not PTX", !compile(nullptr, &ptx, &log));
  std::printf("%s\n", log.c_str());
  claim("the log names FACTOR", log.find("FACTOR") != std::string::npos);

  CUcontext context = nullptr;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  claim("with -DFACTOR=3 it is compiled", compile("-DFACTOR=3", &ptx, &log));
  claim("7 times 3 is 21", scaled(ptx, 7) == 21);
  claim("with -DFACTOR=-5 it is compiled, too", compile("-DFACTOR=-5", &ptx, &log));
  claim("7 times -5 is -35", scaled(ptx, 7) == -35);
  check(cuCtxDestroy(context));
}

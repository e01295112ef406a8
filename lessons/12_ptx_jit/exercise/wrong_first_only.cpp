// Exercise 12, a wrong answer: the program asks for the log, but only the first mistake in it is corrected.
#include "check.hpp"

const char* const code = R"(.version 7.0
.target sm_75
.address_size 64
.visible .entry answer(.param .u64 result) {
  .reg .b64 %rd<2>;
  .reg .b32 %r<2>;
  ld.param.u64 %rd1, [result];
  mov.u32 %r1, 6;
  mul.lo.u32 %r1, %r1, 7;
  st.u32 [%rd1], %r2;
  ret;
}
)";

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));

  CUmodule module = nullptr;
  CUfunction answer = nullptr;
  CUdeviceptr result = 0;
  int value = 0;
  void* arguments[] = {&result};
  char log[1024] = "";
  CUjit_option names[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log)};
  const CUresult loaded = cuModuleLoadDataEx(&module, code, 2, names, values);
  std::puts(log);
  check(loaded);
  check(cuModuleGetFunction(&answer, module, "answer"));
  check(cuMemAlloc(&result, sizeof value));
  check(cuLaunchKernel(answer, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&value, result, sizeof value));
  claim("6 times 7 is 42", value == 42);

  check(cuMemFree(result));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}

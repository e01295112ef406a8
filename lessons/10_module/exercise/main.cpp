// Exercise 10: add 3 to 64 ones with the kernel shift of kernels.cu, and unload the module.
#include "check.hpp"

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));

  CUmodule module = nullptr;
  CUfunction shift = nullptr;
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&shift, module, "shift"));

  CUdeviceptr values = 0;
  int count = 64;
  float by = 3, last = 0;
  void* arguments[] = {&values, &by, &count};
  check(cuMemAlloc(&values, 64 * sizeof(float)));
  check(cuMemsetD32(values, 0x3F800000, 64));  // the bits of 1.0F
  check(cuLaunchKernel(shift, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&last, values + 63 * sizeof(float), sizeof last));
  claim("the last value is 1 + 3", last == 4);

  check(cuMemFree(values));
  check(cuCtxDestroy(context));
}

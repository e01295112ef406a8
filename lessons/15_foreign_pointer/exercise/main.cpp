// Exercise 15: memory of another library, and an application that works in another context, on another device
// if there is one. Add up the numbers in the context that owns the memory.
#include "check.hpp"
#include "foreign.h"  // generate_gpu_data(): 32 floats in the current context

// Adds up the numbers with a kernel in the current context.
float sum_here(CUdeviceptr numbers, int count) {
  CUmodule module = nullptr;
  CUfunction sum = nullptr;
  CUdeviceptr result = 0;
  float total = 0;
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&sum, module, "sum"));
  check(cuMemAlloc(&result, sizeof total));
  void* parameters[] = {&numbers, &count, &result};
  check(cuLaunchKernel(sum, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuMemcpyDtoH(&total, result, sizeof total));
  check(cuMemFree(result));
  check(cuModuleUnload(module));
  return total;
}

// Change this function only.
float sum_foreign(CUdeviceptr numbers, int count) {
  return sum_here(numbers, count);
}

int main() {
  CUdevice device = 0;
  int devices = 0;
  CUcontext theirs = nullptr, ours = nullptr, current = nullptr;
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDeviceGet(&device, 0));
  check(create_context(&theirs, 0, device));
  const CUdeviceptr foreign = generate_gpu_data();
  check(cuCtxPopCurrent(&theirs));
  check(cuDeviceGet(&device, devices - 1));
  check(create_context(&ours, 0, device));

  claim("the sum is 496", sum_foreign(foreign, 32) == 496);
  check(cuCtxGetCurrent(&current));
  claim("our context is still current", current == ours);

  check(cuMemFree(foreign));
  check(cuCtxDestroy(ours));
  check(cuCtxDestroy(theirs));
}

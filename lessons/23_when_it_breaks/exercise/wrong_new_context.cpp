// Exercise 23, a wrong answer: "then I take a new context". No context can be created any more.
#include "check.hpp"

// Writes `what` to device memory; returns whether it did. Change this function only.
bool run_job(CUfunction store, CUdeviceptr where, int what) {
  void* parameters[] = {&where, &what};
  check(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  if (cuCtxSynchronize() == CUDA_SUCCESS) return true;
  CUcontext broken = nullptr, fresh = nullptr;
  check(cuCtxPopCurrent(&broken));
  check(cuCtxDestroy(broken));
  CUdevice device = 0;
  check(cuDeviceGet(&device, 0));
  check(create_context(&fresh, 0, device));
  return false;
}

int main() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr first = 0, third = 0;
  int one = 0, three = 0;
  const CUdeviceptr nowhere = 16;  // there is no memory, neither on a device nor on the host
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&store, module, "store"));
  check(cuMemAlloc(&first, sizeof one));
  check(cuMemAlloc(&third, sizeof three));

  const bool first_done = run_job(store, first, 1);
  const bool second_done = run_job(store, nowhere, 2);
  const bool third_done = run_job(store, third, 3);
  claim("the second job was refused", !second_done);
  claim("the other two were not", first_done && third_done);

  check(cuMemcpyDtoH(&one, first, sizeof one));
  check(cuMemcpyDtoH(&three, third, sizeof three));
  claim("the other two were done", one == 1 && three == 3);
  check(cuMemFree(first));
  check(cuMemFree(third));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}

// Exercise 13: apply.ptx calls change(). Link a function change() with it that adds 1. So far there is none.
#include <string>

#include "check.hpp"

int main() {
  CUcontext context = nullptr;
  CUdevice device = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));

  CUmodule module = nullptr;
  CUlinkState linker = nullptr;
  void* image = nullptr;
  std::size_t size = 0;
  const std::string apply = lesson::beside_program("apply.ptx");
  check(cuLinkCreate(0, nullptr, nullptr, &linker));
  check(cuLinkAddFile(linker, CU_JIT_INPUT_PTX, apply.c_str(), 0, nullptr, nullptr));
  check(cuLinkComplete(linker, &image, &size));
  check(cuModuleLoadData(&module, image));

  CUfunction kernel = nullptr;
  CUdeviceptr memory = 0;
  int number = 41;
  void* arguments[] = {&memory};
  check(cuModuleGetFunction(&kernel, module, "apply"));
  check(cuMemAlloc(&memory, sizeof number));
  check(cuMemcpyHtoD(memory, &number, sizeof number));
  check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  check(cuMemcpyDtoH(&number, memory, sizeof number));
  claim("1 was added to 41", number == 42);

  check(cuMemFree(memory));
  check(cuModuleUnload(module));
  check(cuCtxDestroy(context));
}

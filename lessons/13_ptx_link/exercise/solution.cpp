// Exercise 13, one way to do it: change() as a text that is added to the linker. The linker is destroyed
// after its image is loaded.
#include <string>

#include "check.hpp"

char one_more[] = R"(.version 7.0
.target sm_75
.address_size 64
.visible .func (.param .b32 result) change(.param .b32 number) {
  .reg .b32 %r<3>;
  ld.param.b32 %r1, [number];
  add.u32 %r2, %r1, 1;
  st.param.b32 [result], %r2;
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
  CUlinkState linker = nullptr;
  void* image = nullptr;
  std::size_t size = 0;
  const std::string apply = lesson::beside_program("apply.ptx");
  check(cuLinkCreate(0, nullptr, nullptr, &linker));
  check(cuLinkAddFile(linker, CU_JIT_INPUT_PTX, apply.c_str(), 0, nullptr, nullptr));
  check(cuLinkAddData(linker, CU_JIT_INPUT_PTX, one_more, sizeof one_more, "one_more", 0, nullptr, nullptr));
  check(cuLinkComplete(linker, &image, &size));
  check(cuModuleLoadData(&module, image));
  check(cuLinkDestroy(linker));

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

// Exercise 09: three contexts add 1 to a counter, and the host wants to know the sum. There are three
// counters.
#include "check.hpp"

int main() {
  CUcontext contexts[3] = {};
  CUmodule modules[3] = {};
  CUdeviceptr counter = 0;
  int devices = 0;
  const std::string code = lesson::beside_program("kernels.ptx");
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  for (int i = 0; i < 3; ++i) {  // two on the first device, one on the last
    CUdevice device = 0;
    check(cuDeviceGet(&device, i < 2 ? 0 : devices - 1));
    check(create_context(&contexts[i], CU_CTX_SCHED_AUTO, device));
    CUfunction bump = nullptr;
    check(cuModuleLoad(&modules[i], code.c_str()));
    check(cuModuleGetFunction(&bump, modules[i], "bump"));
    check(cuLaunchKernel(bump, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    check(cuCtxSynchronize());
    check(cuModuleGetGlobal(&counter, nullptr, modules[i], "managed_count"));
  }
  claim("one counter has counted all three: 7 + 3", *reinterpret_cast<int*>(counter) == 10);

  for (int i = 2; i >= 0; --i) {
    check(cuModuleUnload(modules[i]));
    check(cuCtxDestroy(contexts[i]));
  }
}

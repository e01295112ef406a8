// Exercise 09, a wrong answer: the __device__ variable of the library. Each context has its own.
#include "check.hpp"

int main() {
  CUcontext contexts[3] = {};
  CUlibrary library = nullptr;
  CUkernel bump = nullptr;
  CUdeviceptr counter = 0;
  std::size_t size = 0;
  int devices = 0;
  const std::string code = lesson::beside_program("kernels.ptx");
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuLibraryLoadFromFile(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cuLibraryGetKernel(&bump, library, "bump"));
  for (int i = 0; i < 3; ++i) {  // two on the first device, one on the last
    CUdevice device = 0;
    check(cuDeviceGet(&device, i < 2 ? 0 : devices - 1));
    check(create_context(&contexts[i], CU_CTX_SCHED_AUTO, device));
    check(cuLaunchKernel(reinterpret_cast<CUfunction>(bump), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    check(cuCtxSynchronize());
  }
  int value = 0;
  check(cuLibraryGetGlobal(&counter, &size, library, "device_count"));
  check(cuMemcpyDtoH(&value, counter, sizeof value));
  claim("one counter has counted all three: 5 + 3", value == 8);

  check(cuLibraryUnload(library));
  for (int i = 2; i >= 0; --i) check(cuCtxDestroy(contexts[i]));
}

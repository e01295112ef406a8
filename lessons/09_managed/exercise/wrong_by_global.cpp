// Exercise 09, an answer that works here: cuLibraryGetGlobal finds the managed variable, too. But without a
// current context it returns CUDA_ERROR_INVALID_CONTEXT (201); cuLibraryGetManaged needs no context.
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
  check(cuLibraryGetGlobal(&counter, &size, library, "managed_count"));
  claim("one counter has counted all three: 7 + 3", *reinterpret_cast<int*>(counter) == 10);

  check(cuLibraryUnload(library));
  for (int i = 2; i >= 0; --i) check(cuCtxDestroy(contexts[i]));
}

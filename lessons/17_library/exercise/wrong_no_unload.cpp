// Exercise 17, a wrong answer: "the contexts are destroyed, so everything is". The library belongs to no
// context.
#include "check.hpp"

namespace library {

CUlibrary code = nullptr;
CUkernel count_call = nullptr;

void open() {
  check(cuLibraryLoadFromFile(&code, lesson::beside_program("kernels.ptx").c_str(), nullptr, nullptr, 0,
                              nullptr, nullptr, 0));
  check(cuLibraryGetKernel(&count_call, code, "count_call"));
}

// Returns how often it was called in the current context.
int call() {
  CUdeviceptr address = 0;
  int calls = 0;
  check(cuLaunchKernel(reinterpret_cast<CUfunction>(count_call), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr,
                       nullptr));
  check(cuLibraryGetGlobal(&address, nullptr, code, "calls"));
  check(cuMemcpyDtoH(&calls, address, sizeof calls));
  return calls;
}

void close() {}

}  // namespace library

int main() {
  CUcontext contexts[3] = {};
  int devices = 0;
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  library::open();
  for (int i = 0; i < 3; ++i) {  // two on the first device, one on the last
    CUdevice device = 0;
    check(cuDeviceGet(&device, i < 2 ? 0 : devices - 1));
    check(create_context(&contexts[i], CU_CTX_SCHED_AUTO, device));
    check(cuCtxPopCurrent(nullptr));
  }
  for (CUcontext context : contexts) {
    check(cuCtxPushCurrent(context));
    claim("the first call in this context", library::call() == 1);
    check(cuCtxPopCurrent(nullptr));
  }
  for (CUcontext context : contexts) {
    check(cuCtxPushCurrent(context));
    claim("the second call in this context", library::call() == 2);
    check(cuCtxDestroy(context));  // the library does not learn of it
  }
  library::close();
}

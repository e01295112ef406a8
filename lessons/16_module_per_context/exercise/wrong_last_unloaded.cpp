// Exercise 16, a wrong answer: "the module is unloaded once, by the last to leave". Each context has a module
// of its own, and two of the three are left to their contexts.
#include <map>

#include "check.hpp"

namespace library {

std::map<unsigned long long, CUmodule> modules;

// The number of the current context. A later context may have the same handle, but not the same number.
unsigned long long current() {
  unsigned long long number = 0;
  check(cuCtxGetId(nullptr, &number));
  return number;
}

// Returns how often it was called in the current context.
int call() {
  CUfunction function = nullptr;
  CUdeviceptr address = 0;
  int calls = 0;
  CUmodule& module = modules[current()];
  if (module == nullptr) check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&function, module, "count_call"));
  check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  check(cuModuleGetGlobal(&address, nullptr, module, "calls"));
  check(cuMemcpyDtoH(&calls, address, sizeof calls));
  return calls;
}

// The application promises to call this in each context, before it destroys it.
void leave() {
  if (modules.size() == 1) check(cuModuleUnload(modules[current()]));
  modules.erase(current());
}

}  // namespace library

int main() {
  CUcontext contexts[3] = {};
  int devices = 0;
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
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
    library::leave();
    check(cuCtxDestroy(context));
  }
}

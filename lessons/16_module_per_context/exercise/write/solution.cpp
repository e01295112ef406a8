// Exercise 16, one way to do it: the key is the number from cuCtxGetId. No two contexts of a process have the
// same number, so an entry of a destroyed context is never found again.
#include <map>

#include "check.hpp"

namespace library {  // change this namespace only

std::map<unsigned long long, CUmodule> modules;

// Launches the kernel count_call of kernels.ptx in the current context, and returns how often that was done
// in this context: the value of the module's variable `calls`. A context may have the handle of an earlier,
// destroyed one. The application does not say when it destroys a context.
int call() {
  CUfunction function = nullptr;
  CUdeviceptr address = 0;
  int calls = 0;
  unsigned long long id = 0;
  check(cuCtxGetId(nullptr, &id));  // null: the current context
  CUmodule& module = modules[id];
  if (module == nullptr) check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&function, module, "count_call"));
  check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  check(cuModuleGetGlobal(&address, nullptr, module, "calls"));
  check(cuMemcpyDtoH(&calls, address, sizeof calls));
  return calls;
}

}  // namespace library

int main() {
  CUcontext primary = nullptr, again = nullptr, other = nullptr;
  check(cuInit(0));
  check(create_context(&other, 0, 0));
  claim("another context: the first call", library::call() == 1);
  check(cuCtxPopCurrent(nullptr));

  check(cuDevicePrimaryCtxRetain(&primary, 0));
  check(cuCtxPushCurrent(primary));
  claim("the primary context: the first call", library::call() == 1);
  claim("the primary context: the second call", library::call() == 2);
  check(cuCtxPopCurrent(nullptr));
  check(cuDevicePrimaryCtxRelease(0));  // the only retain: its modules are unloaded

  check(cuDevicePrimaryCtxRetain(&again, 0));
  claim("it is active again, with the same handle", again == primary);
  check(cuCtxPushCurrent(again));
  claim("but the first call loads the module again", library::call() == 1);
  claim("and the second call uses it", library::call() == 2);
  check(cuCtxPopCurrent(nullptr));
  check(cuDevicePrimaryCtxRelease(0));

  check(cuCtxPushCurrent(other));
  claim("the other context still has its module", library::call() == 2);
  check(cuCtxDestroy(other));
}

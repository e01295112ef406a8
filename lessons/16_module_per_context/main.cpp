// Lesson 16: a module belongs to one context. A program with two contexts loads its code twice, and a library
// that is called in its callers' contexts keeps a map from context to module. What the library cannot know.
#include <map>

#include "check.hpp"

int calls_of(CUmodule module) {
  int calls = 0;
  CUdeviceptr address = 0;
  check(cuModuleGetGlobal(&address, nullptr, module, "calls"));
  check(cuMemcpyDtoH(&calls, address, sizeof calls));
  return calls;
}

CUresult launch(CUfunction function) {
  return cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr);
}

// A library without a context of its own: it works in the current one, and keeps the module of each context.
namespace library {

std::map<CUcontext, CUmodule> loaded;

void call(const std::string& code) {
  CUcontext current = nullptr;
  CUfunction function = nullptr;
  check(cuCtxGetCurrent(&current));
  const auto [entry, is_new] = loaded.try_emplace(current);
  if (is_new) check(cuModuleLoad(&entry->second, code.c_str()));
  check(cuModuleGetFunction(&function, entry->second, "count_call"));
  check(launch(function));
}

}  // namespace library

int main() {
  CUcontext a = nullptr, b = nullptr, primary = nullptr;
  CUdevice first = 0, last = 0;
  int devices = 0;
  const std::string code = lesson::beside_program("kernels.ptx");

  // step: start
  // With one device, both contexts are on it, and the rest of the program is the same.
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDeviceGet(&first, 0));
  check(cuDeviceGet(&last, devices - 1));

  // step: retained
  // People believe that a retained context is enough to load a module.
  CUmodule module_a = nullptr, module_b = nullptr;
  check(cuDevicePrimaryCtxRetain(&primary, first));
  expect(CUDA_ERROR_INVALID_CONTEXT, cuModuleLoad(&module_a, code.c_str()));
  check(cuDevicePrimaryCtxRelease(first));

  // step: load
  CUfunction in_a = nullptr, in_b = nullptr;
  check(create_context(&a, CU_CTX_SCHED_AUTO, first));  // stack: A
  check(cuModuleLoad(&module_a, code.c_str()));
  check(cuModuleGetFunction(&in_a, module_a, "count_call"));
  check(launch(in_a));
  claim("A's module has counted one call", calls_of(module_a) == 1);

  // step: wrong_context
  // The function's handle is valid, and so is the context, but the function belongs to another context.
  check(create_context(&b, CU_CTX_SCHED_AUTO, last));  // stack: A, B
  expect(CUDA_ERROR_INVALID_HANDLE, launch(in_a));
  check(cuCtxSynchronize());

  // step: load_again
  check(cuModuleLoad(&module_b, code.c_str()));
  check(cuModuleGetFunction(&in_b, module_b, "count_call"));
  check(launch(in_b));
  claim("B's module has a counter of its own", calls_of(module_b) == 1);
  check(cuModuleUnload(module_b));
  check(cuCtxPopCurrent(nullptr));  // stack: A
  check(cuModuleUnload(module_a));

  // step: library
  // The same in a library, which does not know which contexts there will be. It asks which one is current, as
  // the program does here.
  CUcontext current = nullptr;
  check(cuCtxGetCurrent(&current));
  claim("A is current", current == a);
  library::call(code);
  library::call(code);
  claim("called twice in A, loaded once", library::loaded.size() == 1 && calls_of(library::loaded[a]) == 2);
  check(cuCtxPushCurrent(b));  // stack: A, B
  library::call(code);
  claim("called in B, loaded again", library::loaded.size() == 2 && calls_of(library::loaded[b]) == 1);

  // step: context_destroyed
  // The application destroys B. The module is unloaded with it, and the library does not learn of that.
  check(cuCtxDestroy(b));  // stack: A
  claim("the library still has two entries", library::loaded.size() == 2);

  // step: clear_map
  // Removing a handle from the map unloads nothing: A's module still exists, but the library has lost it.
  const CUmodule left = library::loaded[a];
  library::loaded.clear();
  check(cuModuleGetFunction(&in_a, left, "count_call"));
  check(launch(in_a));
  claim("A's module still exists and has counted three calls", calls_of(left) == 3);
  check(cuModuleUnload(left));

  // step: end
  check(cuCtxDestroy(a));
}

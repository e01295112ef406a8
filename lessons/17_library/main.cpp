// Lesson 17: a library belongs to no context. It is loaded once, its kernels run in every context, and the
// driver keeps the map of lesson 16. The program shows what exists once, what in each context, and from when.
#include "check.hpp"

// cuLaunchKernel also takes a CUkernel, but cuda.h declares it with a CUfunction: so this needs a cast.
void launch(CUkernel kernel) {
  check(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

// The address of the variable in the current context.
CUdeviceptr address_of_calls(CUlibrary library) {
  CUdeviceptr address = 0;
  check(cuLibraryGetGlobal(&address, nullptr, library, "calls"));
  return address;
}

int calls_here(CUlibrary library) {
  int calls = 0;
  check(cuMemcpyDtoH(&calls, address_of_calls(library), sizeof calls));
  return calls;
}

int main() {
  CUcontext a = nullptr, b = nullptr, c = nullptr, current = nullptr;
  CUdevice first = 0, last = 0;
  int devices = 0;
  const std::string code = lesson::beside_program("kernels.ptx");

  // step: start
  // With one device, A and B are both on it.
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDeviceGet(&first, 0));
  check(cuDeviceGet(&last, devices - 1));

  // step: load
  // There is no context yet, but the kernel already has a handle.
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr, again = nullptr;
  check(cuLibraryLoadFromFile(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cuLibraryGetKernel(&kernel, library, "count_call"));
  check(cuLibraryGetKernel(&again, library, "count_call"));
  claim("a second call returns the same kernel", again == kernel);
  check(cuCtxGetCurrent(&current));
  claim("no context was needed, and none is current", current == nullptr);

  // step: no_context
  // A __device__ variable exists in a context, and there is no context.
  CUdeviceptr address = 0;
  expect(CUDA_ERROR_INVALID_CONTEXT, cuLibraryGetGlobal(&address, nullptr, library, "calls"));

  // step: in_a
  check(create_context(&a, CU_CTX_SCHED_AUTO, first));  // stack: A
  launch(kernel);
  const CUdeviceptr calls_in_a = address_of_calls(library);
  claim("counted once in A", calls_here(library) == 1);

  // step: in_b
  // The same handle. The driver runs the kernel in the context that is current.
  check(create_context(&b, CU_CTX_SCHED_AUTO, last));  // stack: A, B
  launch(kernel);
  launch(kernel);
  claim("counted twice in B", calls_here(library) == 2);
  claim("and in B it is another variable", address_of_calls(library) != calls_in_a);

  // step: function
  // In one context the kernel is a function, which belongs to this context, as lesson 16 has shown.
  CUfunction in_b = nullptr;
  check(cuKernelGetFunction(&in_b, kernel));
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  expect(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(in_b, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  launch(kernel);
  claim("the kernel runs in A as before", calls_here(library) == 2);

  // step: module
  // In one context the library is a module. The program cannot unload this module.
  CUmodule module = nullptr;
  check(cuLibraryGetModule(&module, library));
  expect(CUDA_ERROR_NOT_PERMITTED, cuModuleUnload(module));
  check(cuCtxPopCurrent(nullptr));  // stack: A, B

  // step: context_destroyed
  // B is destroyed. The program does not have to tell the library.
  check(cuCtxDestroy(b));  // stack: A
  launch(kernel);
  claim("in A it is the third call", calls_here(library) == 3);
  check(create_context(&c, CU_CTX_SCHED_AUTO, last));  // stack: A, C
  launch(kernel);
  claim("in a context that is created later the count begins at 0", calls_here(library) == 1);
  check(cuCtxDestroy(c));  // stack: A

  // step: lazy
  // The driver parses a library's code only when a call asks for something in it.
  CUlibrary nonsense = nullptr;
  CUkernel nothing = nullptr;
  check(cuLibraryLoadData(&nonsense, "some PTX code", nullptr, nullptr, 0, nullptr, nullptr, 0));
  expect(CUDA_ERROR_INVALID_IMAGE, cuLibraryGetKernel(&nothing, nonsense, "count_call"));

  // step: unload
  // One call unloads it for all contexts. After that no kernel of it may be launched.
  check(cuLibraryUnload(nonsense));
  check(cuLibraryUnload(library));
  check(cuCtxDestroy(a));
}

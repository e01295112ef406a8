// Lesson 17: a library belongs to no context. It is loaded once, its kernels run in every context, and the
// driver keeps the map that lesson 16 kept by hand. What is there once, what for each context, and when.
#include "check.hpp"

// A CUkernel stands where a CUfunction is wanted; cuda.h asks for the cast.
void launch(CUkernel kernel) {
  check(cuLaunchKernel(reinterpret_cast<CUfunction>(kernel), 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
}

// The variable as the current context has it.
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
  // With one device, A and B are both on that.
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDeviceGet(&first, 0));
  check(cuDeviceGet(&last, devices - 1));

  // step: load
  // No context anywhere, and the kernel has its handle already.
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr, again = nullptr;
  check(cuLibraryLoadFromFile(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cuLibraryGetKernel(&kernel, library, "count_call"));
  check(cuLibraryGetKernel(&again, library, "count_call"));
  claim("asked twice, it is the same kernel", again == kernel);
  check(cuCtxGetCurrent(&current));
  claim("no context was needed, and none was made", current == nullptr);

  // step: no_context
  // A __device__ variable is in a context, and there is none.
  CUdeviceptr address = 0;
  expect(CUDA_ERROR_INVALID_CONTEXT, cuLibraryGetGlobal(&address, nullptr, library, "calls"));

  // step: in_a
  check(create_context(&a, CU_CTX_SCHED_AUTO, first));  // stack: A
  launch(kernel);
  const CUdeviceptr calls_in_a = address_of_calls(library);
  claim("counted once in A", calls_here(library) == 1);

  // step: in_b
  // The same handle. The driver finds out where, by what is current.
  check(create_context(&b, CU_CTX_SCHED_AUTO, last));  // stack: A, B
  launch(kernel);
  launch(kernel);
  claim("counted twice in B", calls_here(library) == 2);
  claim("in a variable of its own", address_of_calls(library) != calls_in_a);

  // step: function
  // What stands behind the kernel in one context: a function, with all that lesson 16 said of it.
  CUfunction in_b = nullptr;
  check(cuKernelGetFunction(&in_b, kernel));
  check(cuCtxPushCurrent(a));  // stack: A, B, A
  expect(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(in_b, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  launch(kernel);
  claim("the kernel runs in A as before", calls_here(library) == 2);

  // step: module
  // And a module stands behind the library. It is not ours to unload.
  CUmodule module = nullptr;
  check(cuLibraryGetModule(&module, library));
  expect(CUDA_ERROR_NOT_PERMITTED, cuModuleUnload(module));
  check(cuCtxPopCurrent(nullptr));  // stack: A, B

  // step: untold
  // B goes. Nobody is told, and nobody has to be.
  check(cuCtxDestroy(b));  // stack: A
  launch(kernel);
  claim("A has counted on", calls_here(library) == 3);
  check(create_context(&c, CU_CTX_SCHED_AUTO, last));  // stack: A, C
  launch(kernel);
  claim("a context that came later begins at 0", calls_here(library) == 1);
  check(cuCtxDestroy(c));  // stack: A

  // step: lazy
  // A library is looked into when somebody wants something of it.
  CUlibrary nonsense = nullptr;
  CUkernel nothing = nullptr;
  check(cuLibraryLoadData(&nonsense, "some PTX code", nullptr, nullptr, 0, nullptr, nullptr, 0));
  expect(CUDA_ERROR_INVALID_IMAGE, cuLibraryGetKernel(&nothing, nonsense, "count_call"));

  // step: unload
  // Once for all contexts. No kernel of it may be launched from here on.
  check(cuLibraryUnload(nonsense));
  check(cuLibraryUnload(library));
  check(cuCtxDestroy(a));
}

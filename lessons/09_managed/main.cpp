// Lesson 09: the host and kernels can both read and write a __managed__ variable. Loaded as a module, there
// is one variable for each module; loaded as a library, there is one variable for all contexts.
#include "check.hpp"

void bump(CUfunction function) {
  check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  check(cuCtxSynchronize());  // before the host reads
}

// The host can use a managed address directly.
int& on_host(CUdeviceptr address) {
  return *reinterpret_cast<int*>(address);
}

CUdeviceptr global_of(CUmodule module, const char* name) {
  CUdeviceptr address = 0;
  check(cuModuleGetGlobal(&address, nullptr, module, name));
  return address;
}

int device_count_of(CUlibrary library) {
  int value = 0;
  CUdeviceptr address = 0;
  check(cuLibraryGetGlobal(&address, nullptr, library, "device_count"));
  check(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

int main() {
  CUcontext a = nullptr, b = nullptr;
  CUdevice first = 0, last = 0;
  int devices = 0, is_managed = 0;
  const std::string code = lesson::beside_program("kernels.ptx");

  // step: start
  // With one device, A and B are both on it.
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(cuDeviceGet(&first, 0));
  check(cuDeviceGet(&last, devices - 1));

  // step: host
  CUmodule module_a = nullptr;
  check(create_context(&a, CU_CTX_SCHED_AUTO, first));  // stack: A
  check(cuModuleLoad(&module_a, code.c_str()));
  const CUdeviceptr in_a = global_of(module_a, "managed_count");
  check(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, in_a));
  claim("the address is managed", is_managed == 1);
  claim("the host reads 7, without a copy", on_host(in_a) == 7);

  // step: kernel
  // The host writes 100, the kernel adds 1, and the host reads the sum.
  CUfunction bump_a = nullptr;
  check(cuModuleGetFunction(&bump_a, module_a, "bump"));
  on_host(in_a) = 100;
  bump(bump_a);
  claim("100 plus 1 is 101", on_host(in_a) == 101);

  // step: module_b
  CUmodule module_b = nullptr;
  check(create_context(&b, CU_CTX_SCHED_AUTO, last));  // stack: A, B
  check(cuModuleLoad(&module_b, code.c_str()));
  const CUdeviceptr in_b = global_of(module_b, "managed_count");
  claim("B's module has a variable of its own", in_b != in_a);
  claim("which is still 7", on_host(in_b) == 7);
  claim("while A's is 101", on_host(in_a) == 101);

  // step: unload
  check(cuModuleUnload(module_b));
  expect(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, in_b));
  check(cuCtxPopCurrent(nullptr));  // stack: A
  check(cuModuleUnload(module_a));

  // step: library
  // The same file as a library: one variable, whichever context is current.
  CUlibrary library = nullptr;
  CUkernel kernel = nullptr;
  CUdeviceptr from_a = 0, from_b = 0;
  std::size_t size = 0;
  check(cuLibraryLoadFromFile(&library, code.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cuLibraryGetKernel(&kernel, library, "bump"));
  bump(reinterpret_cast<CUfunction>(kernel));
  check(cuLibraryGetManaged(&from_a, &size, library, "managed_count"));
  claim("A's launch changed 7 to 8", on_host(from_a) == 8);

  // step: shared
  check(cuCtxPushCurrent(b));  // stack: A, B
  bump(reinterpret_cast<CUfunction>(kernel));
  check(cuLibraryGetManaged(&from_b, &size, library, "managed_count"));
  claim("in B it is the same address", from_b == from_a);
  claim("and B's launch changed 8 to 9", on_host(from_a) == 9);

  // step: device_variable
  // The file's __device__ variable: each context has its own, so the launches in A and B count separately.
  CUdeviceptr none = 0;
  check(cuLibraryGetGlobal(&none, nullptr, library, "device_count"));
  claim("in B it is 5 plus 1", device_count_of(library) == 6);
  check(cuCtxPopCurrent(nullptr));  // stack: A
  claim("in A it is 5 plus 1", device_count_of(library) == 6);
  expect(CUDA_ERROR_NOT_FOUND, cuLibraryGetManaged(&none, &size, library, "device_count"));

  // step: after_destroy
  // B is destroyed, with what the library has in it. The managed variable belongs to no context.
  check(cuCtxDestroy(b));
  claim("it is still 9", on_host(from_a) == 9);
  bump(reinterpret_cast<CUfunction>(kernel));
  claim("A's launch changed 9 to 10", on_host(from_a) == 10);

  // step: end
  check(cuLibraryUnload(library));
  check(cuCtxDestroy(a));
}

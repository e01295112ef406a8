// Exercise 22, one way to do it: a version that both driver and header know, and a check of the pointer.
#include "check.hpp"

bool find(const char* name, void** function) {
  int version = 0;
  check(cuDriverGetVersion(&version));
  if (version > CUDA_VERSION) version = CUDA_VERSION;  // the types below are this header's
  check(cuGetProcAddress(name, function, version, CU_GET_PROC_ADDRESS_DEFAULT, nullptr));
  return *function != nullptr;
}

int main() {
  CUdevice device = 0;
  void *alloc = nullptr, *free = nullptr, *none = nullptr;
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, 0, device));
  claim("cuMemAlloc is there", find("cuMemAlloc", &alloc));
  claim("cuMemFree is there", find("cuMemFree", &free));
  claim("cuFoo is not there", !find("cuFoo", &none));
  claim("cuMemAlloc_v2 is a symbol, but not a name", !find("cuMemAlloc_v2", &none));

  check(reinterpret_cast<decltype(&cuMemAlloc)>(alloc)(&memory, 64));
  check(reinterpret_cast<decltype(&cuMemFree)>(free)(memory));
  check(cuCtxDestroy(context));
}

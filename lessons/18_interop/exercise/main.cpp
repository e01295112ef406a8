// Exercise 18: a library that uses the runtime on device 0, and an application with a context of its own.
#include "check_runtime.hpp"

namespace library {

void* memory = nullptr;

void open() {
  check(cudaSetDevice(0));
  check(cudaMalloc(&memory, 64));
}

void close() {
  check(cudaFree(memory));
}

}  // namespace library

int main() {
  CUdevice device = 0;
  CUcontext application = nullptr, current = nullptr, owner = nullptr;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&application, 0, device));

  library::open();
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT,
                              reinterpret_cast<CUdeviceptr>(library::memory)));
  claim("the library works in the primary context", owner != application);
  check(cuCtxGetCurrent(&current));
  claim("and the application's context is current again", current == application);
  library::close();

  check(cuCtxDestroy(application));
}

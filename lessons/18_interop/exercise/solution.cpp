// Exercise 18, one way to do it: open() asks for the current context first, and makes it current again at the
// end.
#include "check_runtime.hpp"

namespace library {

void* memory = nullptr;

void open() {
  CUcontext before = nullptr;
  check(cuCtxGetCurrent(&before));
  check(cudaSetDevice(0));
  check(cudaMalloc(&memory, 64));
  check(cuCtxSetCurrent(before));
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

// Lesson 18: the runtime is a library on top of the driver. In which context it works, that both APIs use the
// same pointers, what cudaSetDevice does to the stack, and what is left when the primary context is reset.
#include "check_runtime.hpp"

CUcontext current() {
  CUcontext context = nullptr;
  check(cuCtxGetCurrent(&context));
  return context;
}

CUcontext owner_of(CUdeviceptr memory) {
  CUcontext context = nullptr;
  check(cuPointerGetAttribute(&context, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  return context;
}

// The two APIs have different types for the same address.
CUdeviceptr as_driver(void* memory) {
  return reinterpret_cast<CUdeviceptr>(memory);
}

bool primary_is_active(CUdevice device) {
  unsigned flags = 0;
  int active = 0;
  check(cuDevicePrimaryCtxGetState(device, &flags, &active));
  return active != 0;
}

int main() {
  CUcontext primary = nullptr, a = nullptr;
  CUdevice device = 0;
  void* memory = nullptr;
  unsigned char byte = 0;
  int devices = 0;

  // step: device_query
  // Queries about devices need no context, so the runtime activates none.
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(cudaGetDeviceCount(&devices));
  claim("after the query no context is current", current() == nullptr);
  claim("and the primary context is not active", !primary_is_active(device));

  // step: malloc
  // The first runtime call that needs a context retains the primary context and makes it current.
  check(cudaMalloc(&memory, 64));
  check(cuDevicePrimaryCtxRetain(&primary, device));
  claim("now the primary context is current", current() == primary);
  claim("and it owns the memory", owner_of(as_driver(memory)) == primary);
  check(cuDevicePrimaryCtxRelease(device));  // for our retain; the runtime has its own

  // step: cast
  // The driver fills the memory, the runtime reads it, and the driver frees it.
  check(cuMemsetD8(as_driver(memory), 7, 64));
  check(cudaMemcpy(&byte, memory, 1, cudaMemcpyDeviceToHost));
  claim("the runtime reads what the driver wrote", byte == 7);
  check(cuMemFree(as_driver(memory)));
  expect(cudaErrorInvalidValue, cudaFree(memory));

  // step: driver_context
  // If the program has made another context current, the runtime works in that one.
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));  // stack: P0, A
  check(cudaMalloc(&memory, 64));
  claim("A is still current", current() == a);
  claim("and A owns what the runtime allocated", owner_of(as_driver(memory)) == a);

  // step: set_device
  // cudaSetDevice does not push: it replaces the top, so A is no longer on the stack.
  check(cudaSetDevice(0));  // stack: P0, P0
  claim("the primary context is current", current() == primary);
  check(cuCtxPopCurrent(nullptr));  // stack: P0
  claim("and the entry below is not A", current() == primary);

  // step: free_elsewhere
  // A floats. Its memory is freed while another context is current: the address says who owns it.
  check(cudaFree(memory));
  check(cuCtxDestroy(a));
  claim("destroying A has not changed the stack", current() == primary);

  // step: reset
  // cudaDeviceReset destroys everything in the primary context, also the memory that the driver allocated.
  CUdeviceptr mine = 0;
  check(cuMemAlloc(&mine, 64));
  check(cudaDeviceReset());
  claim("its handle is still current", current() == primary);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(mine, 0, 64));

  // step: active_again
  // The runtime activates it again. The handle is the same, but the old memory no longer exists.
  check(cudaMalloc(&memory, 64));
  check(cuCtxSynchronize());
  claim("it is active again", primary_is_active(device));
  claim("and it has the same handle", current() == primary);
  check(cudaFree(memory));

  // step: end
  check(cuCtxPopCurrent(nullptr));
  check(cudaDeviceReset());
}

// Lesson 19: the runtime is a library on top of the driver. Whose context it works in, that its pointers are
// the driver's, what cudaSetDevice does to the stack, and what is left when the primary context is reset.
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

// The two APIs name one address by two types.
CUdeviceptr as_driver(void* memory) {
  return reinterpret_cast<CUdeviceptr>(memory);
}

bool primary_is_active() {
  unsigned flags = 0;
  int active = 0;
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  return active != 0;
}

int main() {
  CUcontext primary = nullptr, a = nullptr;
  void* memory = nullptr;
  unsigned char byte = 0;
  int devices = 0;

  // step: asked
  // Questions about devices need no context, so the runtime makes none.
  check(cuInit(0));
  check(cudaGetDeviceCount(&devices));
  claim("asking has made nothing current", current() == nullptr);
  claim("and has woken no primary context", !primary_is_active());

  // step: malloc
  // The first call that needs a context takes the primary one, and makes it current.
  check(cudaMalloc(&memory, 64));
  check(cuDevicePrimaryCtxRetain(&primary, 0));
  claim("now the primary context is current", current() == primary);
  claim("and owns the memory", owner_of(as_driver(memory)) == primary);
  check(cuDevicePrimaryCtxRelease(0));  // ours; the runtime has retained it for itself

  // step: cast
  // Filled by the driver, read by the runtime, freed by the driver.
  check(cuMemsetD8(as_driver(memory), 7, 64));
  check(cudaMemcpy(&byte, memory, 1, cudaMemcpyDeviceToHost));
  claim("the runtime reads what the driver wrote", byte == 7);
  check(cuMemFree(as_driver(memory)));
  expect(cudaErrorInvalidValue, cudaFree(memory));

  // step: driver_context
  // With a context of the driver's on top the runtime works in that one.
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));  // stack: P0, A
  check(cudaMalloc(&memory, 64));
  claim("A is still current", current() == a);
  claim("and owns what the runtime allocated", owner_of(as_driver(memory)) == a);

  // step: set_device
  // Not a push: the top is replaced, and A is no longer on the stack.
  check(cudaSetDevice(0));  // stack: P0, P0
  claim("the primary context is current", current() == primary);
  check(cuCtxPopCurrent(nullptr));  // stack: P0
  claim("and what lies below is not A", current() == primary);

  // step: free_elsewhere
  // A floats. Its memory is freed from another context, by the address.
  check(cudaFree(memory));
  check(cuCtxDestroy(a));
  claim("destroying A left the stack alone", current() == primary);

  // step: reset
  // Memory of the primary context, and then cudaDeviceReset: it ends what all users of it have.
  CUdeviceptr mine = 0;
  check(cuMemAlloc(&mine, 64));
  check(cudaDeviceReset());
  claim("the handle is current as before", current() == primary);
  expect(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemsetD8(mine, 0, 64));

  // step: again
  // The runtime wakes it up again. The handle is the same, the memory is not there.
  check(cudaMalloc(&memory, 64));
  check(cuCtxSynchronize());
  claim("it is active", primary_is_active());
  claim("and has the old handle", current() == primary);
  check(cudaFree(memory));

  // step: end
  check(cuCtxPopCurrent(nullptr));
  check(cudaDeviceReset());
}

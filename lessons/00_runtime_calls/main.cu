// Lesson 00: the CUDA runtime is a library that calls the driver. This program calls the runtime, as most
// CUDA programs do. The list of calls shows the driver calls inside each call of the runtime.
#include "check_runtime.hpp"

constexpr int kCount = 256;
constexpr std::size_t kBytes = kCount * sizeof(int);

__global__ void twice(int* numbers) {
  numbers[threadIdx.x] *= 2;
}

CUcontext current() {
  CUcontext context = nullptr;
  check(cuCtxGetCurrent(&context));
  return context;
}

bool primary_is_active() {
  unsigned flags = 0;
  int active = 0;
  check(cuDevicePrimaryCtxGetState(0, &flags, &active));
  return active != 0;
}

int main() {
  int devices = 0;
  void *memory = nullptr, *second = nullptr, *huge = nullptr;
  int numbers[kCount];
  CUcontext primary = nullptr, owner = nullptr;

  // step: query
  // The first call of the runtime starts the driver. A question about devices needs no context.
  check(cudaGetDeviceCount(&devices));
  claim("no context is current", current() == nullptr);
  claim("and the primary context is not active", !primary_is_active());

  // step: malloc
  // The first call that needs a context makes the primary context active and current.
  check(cudaMalloc(&memory, kBytes));
  primary = current();
  claim("a context is current, although the program has created none", primary != nullptr);
  claim("it is the primary context: that is active now", primary_is_active());

  // step: second_malloc
  // Every later call finds the context, so little is left to do.
  check(cudaMalloc(&second, kBytes));
  claim("the same context is current", current() == primary);

  // step: copy
  for (int i = 0; i < kCount; ++i) numbers[i] = i;
  check(cudaMemcpy(memory, numbers, kBytes, cudaMemcpyHostToDevice));

  // step: launch
  // The compiler turns <<<>>> into a call of cudaLaunchKernel. The first launch loads the code.
  check(cudaGetLastError());  // no earlier error is left
  twice<<<1, kCount>>>(static_cast<int*>(memory));
  check(cudaGetLastError());

  // step: launch_again
  // The same without <<<>>>: this is the call that the compiler makes. The code is loaded already.
  check(cudaDeviceSynchronize());
  void* arguments[] = {&memory};
  check(cudaLaunchKernel(reinterpret_cast<const void*>(twice), dim3(1), dim3(kCount), arguments, 0, nullptr));

  // step: copy_back
  check(cudaMemcpy(numbers, memory, kBytes, cudaMemcpyDeviceToHost));
  claim("doubled twice: 255 has become 1020", numbers[255] == 1020);

  // step: same_objects
  // The driver takes what the runtime has made: there is one context, and one address.
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address));
  claim("the driver says that the primary context owns the memory", owner == primary);
  check(cuMemsetD8(address, 0, kBytes));
  check(cudaMemcpy(numbers, memory, kBytes, cudaMemcpyDeviceToHost));
  claim("the runtime reads what the driver wrote", numbers[255] == 0);

  // step: errors
  // cuMemAlloc fails inside, and the runtime returns the error and keeps it. The launch after it succeeds.
  expect(cudaErrorMemoryAllocation, cudaMalloc(&huge, std::size_t{1} << 50));
  twice<<<1, kCount>>>(static_cast<int*>(memory));
  expect(cudaErrorMemoryAllocation, cudaGetLastError());  // the error of cudaMalloc, not of the launch
  check(cudaGetLastError());                              // the call before has cleared it

  // step: end
  check(cudaFree(memory));
  check(cudaFree(second));
  check(cudaDeviceReset());
  claim("the primary context is no longer active", !primary_is_active());
}

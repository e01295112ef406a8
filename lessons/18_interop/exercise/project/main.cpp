// Exercise 18, the project: a library for all callers. It is loaded once, works in whatever context its
// caller has, or in the primary one, and leaves everything as it was. Write it.
#include <array>

#include "check_runtime.hpp"

// The library's code, in PTX: twice(numbers) doubles 32 ints, with one block of 32 threads.
inline constexpr const char* kCode = R"(.version 7.0
.target sm_75
.address_size 64

.visible .entry twice(.param .u64 numbers) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [numbers];
  cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  ld.global.u32 %r2, [%rd3];
  add.u32 %r2, %r2, %r2;
  st.global.u32 [%rd3], %r2;
  ret;
}
)";

namespace library {  // change this namespace only

// Loads the code.
void open() {}

// Doubles the 32 numbers, and returns when that is done. It works in the current context. If none is current,
// it works in the primary context of device 0, and releases it afterwards.
void run([[maybe_unused]] CUdeviceptr numbers) {}

// Unloads the code.
void close() {}

}  // namespace library

using Numbers = std::array<int, 32>;

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
  const auto as_driver = [](void* memory) { return reinterpret_cast<CUdeviceptr>(memory); };
  CUcontext a = nullptr, b = nullptr, under_b = nullptr, primary = nullptr;
  CUdeviceptr of_a = 0;
  void* of_runtime = nullptr;
  Numbers numbers;
  numbers.fill(1);
  check(cuInit(0));
  library::open();
  claim("open() needs no context", current() == nullptr && !primary_is_active());

  // A caller that uses the driver, in a context of its own.
  check(create_context(&a, 0, 0));
  check(cuMemAlloc(&of_a, sizeof numbers));
  check(cuMemcpyHtoD(of_a, numbers.data(), sizeof numbers));
  library::run(of_a);
  claim("A is still current", current() == a);
  claim("the library worked in A, not in the primary context", !primary_is_active());

  // The same caller in its second context. Kernels of B can use memory of A.
  check(create_context(&b, 0, 0));
  library::run(of_a);
  check(cuCtxDestroy(b));  // the library does not learn of it
  check(cuCtxPopCurrent(&under_b));
  claim("below B is A, as before", under_b == a);

  // The same caller again, while no context is current.
  library::run(of_a);
  claim("afterwards no context is current", current() == nullptr);
  claim("and the primary context is not active", !primary_is_active());
  check(cuCtxPushCurrent(a));
  check(cuMemcpyDtoH(numbers.data(), of_a, sizeof numbers));
  claim("doubled three times: all 32 numbers are 8", numbers.front() == 8 && numbers.back() == 8);
  check(cuMemFree(of_a));
  check(cuCtxDestroy(a));

  // A caller that uses the runtime. It never names a context.
  check(cudaMalloc(&of_runtime, sizeof numbers));
  check(cudaMemcpy(of_runtime, numbers.data(), sizeof numbers, cudaMemcpyHostToDevice));
  primary = current();
  library::run(as_driver(of_runtime));
  claim("the runtime's context is still current", current() == primary);
  library::close();
  check(cudaMemcpy(numbers.data(), of_runtime, sizeof numbers, cudaMemcpyDeviceToHost));
  claim("all 32 numbers are 16, and the memory outlives the library", numbers.front() == 16);
  check(cudaFree(of_runtime));
  check(cudaDeviceReset());
  check(cuCtxPopCurrent(nullptr));
  claim("one entry was on the stack", current() == nullptr);
}

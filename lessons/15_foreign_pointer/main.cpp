// Lesson 15: a library returns a pointer to device memory. What is it, who owns it, where can it be used, and
// who frees it? The program asks the driver first, and then uses the pointer where it works and where not.
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <numeric>

#include "check.hpp"
#include "foreign.h"  // generate_gpu_data() of libforeign.so: all that its users know

// The function `sum` in a module of the current context, and memory for its result.
struct Adder {
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  CUdeviceptr result = 0;
};

Adder load_adder() {
  Adder adder;
  check(cuModuleLoad(&adder.module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&adder.function, adder.module, "sum"));
  check(cuMemAlloc(&adder.result, sizeof(float)));
  return adder;
}

int main() {
  CUcontext a = nullptr, b = nullptr, owner = nullptr, current = nullptr;
  CUdeviceptr foreign = 0, base = 0;
  std::size_t size = 0;
  std::array<float, 32> numbers = {};
  float total = 0;
  int devices = 0, ordinal = -1, count = 32;

  // step: receive
  // The library is given no context. It works in A because A is current.
  check(cuInit(0));
  check(cuDeviceGetCount(&devices));
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));  // stack: A
  foreign = generate_gpu_data();

  // step: query
  // Before the program uses the pointer: what is it, how large, on which device, and who owns it?
  unsigned type = 0;
  check(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, foreign));
  claim("it is device memory", type == CU_MEMORYTYPE_DEVICE);
  check(cuMemGetAddressRange(&base, &size, foreign));
  claim("it is a whole allocation of 32 floats", base == foreign && size == sizeof numbers);
  check(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, foreign));
  check(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, foreign));
  claim("it lies on device 0 and belongs to A", ordinal == 0 && owner == a);

  // step: use
  // A kernel of A can use it like all other memory of A.
  check(cuCtxGetCurrent(&current));
  claim("A is still current", current == a);
  Adder in_a = load_adder();
  void* parameters[] = {&foreign, &count, &in_a.result};
  check(cuLaunchKernel(in_a.function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuMemcpyDtoH(&total, in_a.result, sizeof total));
  claim("0 + 1 + … + 31 = 496", total == 496);

  // step: copy_to_host
  check(cuMemcpyDtoH(numbers.data(), foreign, sizeof numbers));
  claim("the host gets the same sum", std::accumulate(numbers.begin(), numbers.end(), 0.0F) == 496);

  // step: follow_on_host
  // On the host, reading through this pointer ends the process. So a child process does it.
  check(cuCtxSynchronize());
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);
    _exit(*reinterpret_cast<const volatile float*>(foreign) == 0 ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  claim("the child was ended by SIGSEGV", WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);

  // step: other_context
  // People believe that B cannot use A's memory. It can; what it cannot use is A's function.
  check(create_context(&b, CU_CTX_SCHED_AUTO, 0));  // stack: A, B
  expect(CUDA_ERROR_INVALID_HANDLE,
         cuLaunchKernel(in_a.function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  Adder in_b = load_adder();
  parameters[2] = &in_b.result;
  check(cuLaunchKernel(in_b.function, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuMemcpyDtoH(&total, in_b.result, sizeof total));
  claim("a kernel of B adds up the numbers in A's memory", total == 496);
  check(cuCtxDestroy(b));  // stack: A

  // step: other_device
  // A copy works from another device, too. A kernel there would need peer access, so a program
  // that launches one asks which device has the memory, and launches it there.
  if (devices > 1) {
    CUcontext there = nullptr;
    check(create_context(&there, CU_CTX_SCHED_AUTO, 1));
    check(cuMemcpyDtoH(numbers.data(), foreign, sizeof numbers));
    claim("the copy is right", numbers[31] == 31);
    check(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, foreign));
    claim("and the memory is still on device 0", ordinal == 0);
    check(cuCtxDestroy(there));
  } else {
    check(cuCtxSynchronize());
  }

  // step: free
  // The library does not free the memory, so its caller does: once, and before the owner is destroyed.
  check(cuMemFree(foreign));
  expect(CUDA_ERROR_INVALID_VALUE, cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, foreign));
  check(cuMemFree(in_a.result));
  check(cuModuleUnload(in_a.module));
  check(cuCtxDestroy(a));
}

// Lesson 23: errors of one call, and sticky errors. A child of fork cannot use the driver. If a kernel uses
// an invalid address, a later, correct call returns the error, and after that no context of the process can
// be used. Only a new process can recover, so this program starts itself again.
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"

// The exit status of a child that calls `body`. The child ends with _exit, which runs no destructors.
template <typename Body>
int in_a_child(Body body) {
  std::fflush(stdout);  // otherwise the child prints the same text again
  const pid_t child = fork();
  if (child == 0) {
    body();
    std::fflush(stdout);
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int new_process();

int main(int count, char**) {
  if (count > 1) return new_process();
  CUcontext a = nullptr, b = nullptr, current = nullptr, none = nullptr;
  CUdevice device = 0;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr good = 0, memory = 0, nowhere = 0;
  int number = 42, back = 0, devices = 0;

  // step: start
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, device));
  check(create_context(&b, CU_CTX_SCHED_AUTO, device));  // stack: A, B
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&store, module, "store"));
  check(cuMemAlloc(&good, sizeof number));

  // step: single_errors
  // If a call cannot do what it is asked, it returns an error at once, and later calls are not affected.
  void* to_good[] = {&good, &number};
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&memory, std::size_t{1} << 50));
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(store, 1, 1, 1, 2048, 1, 1, 0, nullptr, to_good, nullptr));
  check(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, to_good, nullptr));
  check(cuMemcpyDtoH(&back, good, sizeof back));
  claim("the kernel wrote 42", back == 42);

  // step: fork
  // A child of fork has the memory of this process, but it can neither use the driver nor initialise it.
  const int status = in_a_child([&] {
    expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&devices));
    expect(CUDA_ERROR_NOT_INITIALIZED, cuInit(0));
  });
  claim("the child's calls returned what was expected", status == 0);
  check(cuMemcpyDtoH(&back, good, sizeof back));  // the parent still works

  // step: launch
  // The kernel will write to address 0. The launch succeeds, because it only queues the work.
  void* to_nowhere[] = {&nowhere, &number};
  check(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, to_nowhere, nullptr));

  // step: late_error
  // This copy is correct. It is only the first call that waits for the kernel.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemcpyDtoH(&back, good, sizeof back));

  // step: sticky_error
  // From now on every call that works in a context returns this error.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&memory, lesson::KiB));
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree(good));
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, to_good, nullptr));

  // step: what_still_works
  // Queries that need no context still work, and so does destroying a context.
  check(cuDeviceGetCount(&devices));
  check(cuCtxGetCurrent(&current));
  claim("B is still current", current == b);
  check(cuCtxDestroy(b));  // stack: A

  // step: other_context
  // The kernel did not run in A, but A cannot be used either. Nor can a new context be created.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&memory, lesson::KiB));
  check(cuCtxDestroy(a));  // stack: empty
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, create_context(&none, CU_CTX_SCHED_AUTO, device));

  // step: restart
  // The primary context fails as well. But a new process works: a child that starts this program again.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuDevicePrimaryCtxRetain(&none, device));
  const int second = in_a_child([] {
    execl("/proc/self/exe", "main", "anew", nullptr);
    _exit(1);  // only if execl fails
  });
  claim("the new process worked", second == 0);
}

// The second process: it initialises the driver and creates a context of its own.
int new_process() {
  // step: new_process
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(cuDeviceGet(&device, 0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, device));
  check(cuMemAlloc(&memory, lesson::KiB));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
  return 0;
}

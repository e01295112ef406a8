// Lesson 22: errors that pass and errors that stay. A child of fork gets no driver; a kernel that leaves its
// memory is reported late, at an innocent call, and ends every context of the process. Only a new process
// helps, so this program starts itself once more.
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"

// Exit status of a child that calls `body` and ends without touching what it shares with its parent.
template <typename Body>
int in_a_child(Body body) {
  std::fflush(stdout);  // otherwise the child would print it again
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

int begin_anew();

int main(int count, char**) {
  if (count > 1) return begin_anew();
  CUcontext a = nullptr, b = nullptr, current = nullptr, none = nullptr;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr good = 0, memory = 0, nowhere = 0;
  int number = 42, back = 0, devices = 0;

  // step: start
  check(cuInit(0));
  check(create_context(&a, CU_CTX_SCHED_AUTO, 0));
  check(create_context(&b, CU_CTX_SCHED_AUTO, 0));  // stack: A, B
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&store, module, "store"));
  check(cuMemAlloc(&good, sizeof number));

  // step: passes
  // Mistakes in arguments are answered at once and leave nothing behind.
  void* to_good[] = {&good, &number};
  expect(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&memory, std::size_t{1} << 50));
  expect(CUDA_ERROR_INVALID_VALUE, cuLaunchKernel(store, 1, 1, 1, 2048, 1, 1, 0, nullptr, to_good, nullptr));
  check(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, to_good, nullptr));
  check(cuMemcpyDtoH(&back, good, sizeof back));
  claim("the kernel wrote 42", back == 42);

  // step: fork
  // A child of fork inherits the memory of this process, but not its driver, and may not start another.
  const int status = in_a_child([&] {
    expect(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&devices));
    expect(CUDA_ERROR_NOT_INITIALIZED, cuInit(0));
  });
  claim("so it was in the child", status == 0);
  check(cuMemcpyDtoH(&back, good, sizeof back));  // the parent goes on

  // step: launch
  // The kernel will write to address 0. The launch is accepted: it only queues the work.
  void* to_nowhere[] = {&nowhere, &number};
  check(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, to_nowhere, nullptr));

  // step: late
  // There is nothing wrong with this copy. It is merely the first call that waits.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemcpyDtoH(&back, good, sizeof back));

  // step: stays
  // From now on it answers everything that works in a context.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&memory, lesson::KiB));
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemFree(good));
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, to_good, nullptr));

  // step: what_still_works
  // Asking who is there still works, and so does taking things down.
  check(cuDeviceGetCount(&devices));
  check(cuCtxGetCurrent(&current));
  claim("B is current as before", current == b);
  check(cuCtxDestroy(b));  // stack: A

  // step: other_context
  // A had nothing to do with it, and still it is lost. So are contexts that do not exist yet.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&memory, lesson::KiB));
  check(cuCtxDestroy(a));  // stack: empty
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, create_context(&none, CU_CTX_SCHED_AUTO, 0));

  // step: restart
  // The primary context is no way out either. A new process is: a child that becomes this program once more.
  expect(CUDA_ERROR_ILLEGAL_ADDRESS, cuDevicePrimaryCtxRetain(&none, 0));
  const int second = in_a_child([] {
    execl("/proc/self/exe", "main", "anew", nullptr);
    _exit(1);  // only if there is no such program
  });
  claim("the new process worked", second == 0);
}

// The second process: everything from the beginning.
int begin_anew() {
  // step: new_process
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuMemAlloc(&memory, lesson::KiB));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
  return 0;
}

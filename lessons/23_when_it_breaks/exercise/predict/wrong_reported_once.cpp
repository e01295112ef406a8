// Exercise 23, a wrong answer: "an error is returned once,
// and then it is cleared". A sticky error is returned again.
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "check.hpp"

// Change this table only. Both contexts, A and B, are on device 0; B is current at first, and A is below it.
const CUresult answers[] = {
    // 1: cuMemAlloc of 1 PiB
    CUDA_ERROR_OUT_OF_MEMORY,
    // 2: cuMemAlloc of four bytes, directly after that
    CUDA_SUCCESS,
    // 3: cuInit(0) in a child of fork
    CUDA_ERROR_NOT_INITIALIZED,
    // 4: cuLaunchKernel of a kernel that will write to address 0
    CUDA_SUCCESS,
    // 5: a correct cuMemcpyDtoH, directly after the launch
    CUDA_ERROR_ILLEGAL_ADDRESS,
    // 6: the same copy once more
    CUDA_SUCCESS,
    // 7: cuDeviceGetCount
    CUDA_SUCCESS,
    // 8: cuCtxDestroy of B
    CUDA_SUCCESS,
    // 9: cuCtxSynchronize in A, in which no kernel has run
    CUDA_SUCCESS,
    // 10: cuCtxDestroy of A
    CUDA_SUCCESS,
    // 11: cuCtxCreate of a new context
    CUDA_SUCCESS,
    // 12: cuCtxCreate in a new process, after fork and exec
    CUDA_SUCCESS,
};

// The result of the driver call that the child makes in `body`; the numbers that occur here fit in an exit
// status.
template <typename Body>
CUresult in_a_child(Body body) {
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) _exit(static_cast<int>(body()));
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? static_cast<CUresult>(WEXITSTATUS(status)) : CUDA_ERROR_UNKNOWN;
}

const char* name_of(CUresult result) {
  const char* name = nullptr;
  check(cuGetErrorName(result, &name));
  return name;
}

int main(int count, char**) {
  std::vector<CUresult> facts;
  CUcontext a = nullptr, b = nullptr, c = nullptr;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr good = 0, none = 0, nowhere = 0;
  int number = 42, back = 0, devices = 0;
  check(cuInit(0));
  if (count > 1) {  // the new process of question 12
    const CUresult created = create_context(&c, 0, 0);
    if (created == CUDA_SUCCESS) check(cuCtxDestroy(c));
    return created == CUDA_SUCCESS ? 0 : 1;
  }
  check(create_context(&a, 0, 0));
  check(create_context(&b, 0, 0));  // stack: A, B
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&store, module, "store"));

  facts.push_back(cuMemAlloc(&none, std::size_t{1} << 50));
  facts.push_back(cuMemAlloc(&good, sizeof number));
  facts.push_back(in_a_child([] { return cuInit(0); }));
  void* parameters[] = {&nowhere, &number};
  facts.push_back(cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
  facts.push_back(cuMemcpyDtoH(&back, good, sizeof back));
  facts.push_back(cuMemcpyDtoH(&back, good, sizeof back));
  facts.push_back(cuDeviceGetCount(&devices));
  facts.push_back(cuCtxDestroy(b));  // stack: A
  facts.push_back(cuCtxSynchronize());
  facts.push_back(cuCtxDestroy(a));  // stack: empty
  facts.push_back(create_context(&c, 0, 0));
  facts.push_back(in_a_child([] {
    execl("/proc/self/exe", "main", "anew", nullptr);
    return CUDA_ERROR_INVALID_VALUE;  // only if execl fails
  }));

  for (std::size_t i = 0; i < facts.size(); ++i) {
    if (answers[i] == facts[i]) continue;
    std::printf("question %zu: you wrote %s; it is %s\n", i + 1, name_of(answers[i]), name_of(facts[i]));
    return 1;
  }
  std::printf("all %zu answers are right\n", facts.size());
}

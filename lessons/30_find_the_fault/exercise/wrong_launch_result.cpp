// Exercise 30, a wrong answer: a launch succeeds even if its kernel fails later.
#include <vector>

#include "check.hpp"

namespace blame {  // change this namespace only

// Launches the jobs one after the other. Returns the number of the job that fails, or -1 if none does.
int find_wrong(CUfunction store, const std::vector<CUdeviceptr>& places) {
  for (std::size_t job = 0; job < places.size(); ++job) {
    CUdeviceptr to = places[job];
    int value = static_cast<int>(job);
    void* parameters[] = {&to, &value};
    if (cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) != CUDA_SUCCESS)
      return static_cast<int>(job);
  }
  return -1;
}

}  // namespace blame

int main() {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(&store, module, "store"));
  check(cuMemAlloc(&memory, 16));
  const int none = blame::find_wrong(store, {memory, memory + 4, memory + 8});
  claim("of three correct jobs none is wrong", none == -1);
  const int wrong = blame::find_wrong(store, {memory, memory + 4, 0, memory + 8, memory + 12});
  std::printf("the program blames job %d\n", wrong);
  claim("it was job 2", wrong == 2);
  check(cuCtxDestroy(context));
}

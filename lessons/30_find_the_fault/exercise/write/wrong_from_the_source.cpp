// Exercise 30, a wrong answer: the number is read in launch_job(), and nothing is launched to find it.
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"

constexpr int kJobs = 16;
constexpr std::size_t kBytes = kJobs * sizeof(int);

// Makes a context, finds the kernel, and allocates memory. Job 11 does not get any of it.
CUcontext prepare(CUfunction* kernel, CUdeviceptr* memory) {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  check(create_context(&context, CU_CTX_SCHED_AUTO, 0));
  check(cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()));
  check(cuModuleGetFunction(kernel, module, "store"));
  check(cuMemAlloc(memory, kBytes));
  return context;
}

void launch_job(CUfunction kernel, CUdeviceptr memory, int job) {
  CUdeviceptr to = job == 11 ? 0 : memory + 4 * static_cast<CUdeviceptr>(job);
  void* parameters[] = {&to, &job};
  check(cuLaunchKernel(kernel, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr));
}

namespace bisection {

// Launches the jobs from `first` up to `end` (without it) in a new process. Returns whether they have failed.
bool fails(int first, int end) {
  return first < end;
}

// Returns the number of the wrong job.
int wrong_job() {
  return fails(0, 0) ? -1 : 11;
}

}  // namespace bisection

int main() {
  CUfunction kernel = nullptr;
  CUdeviceptr memory = 0;
  const int job = bisection::wrong_job();
  std::printf("job %d is wrong\n", job);
  claim("job 11 was found", job == 11);
  check(cuInit(0));
  const CUcontext context = prepare(&kernel, &memory);
  launch_job(kernel, memory, 0);
  check(cuCtxSynchronize());
  claim("this process can use the device", context != nullptr);
  check(cuCtxDestroy(context));
}

// Exercise 23, a wrong answer: one child for all jobs. The supervisor lives on, but job 3 fails like job 2.
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "check.hpp"

inline constexpr CUdeviceptr kNowhere = 16;  // there is no memory, neither on a device nor on the host

// One job, in a process that has not yet used the driver: it lets the kernel `store` of kernels.ptx write
// 10 * number to device memory of its own, waits, reads the number back and returns it. Job 2 has a mistake:
// it gives the kernel the address kNowhere. Returns -1 as soon as a call fails.
int job(int number) {
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUfunction store = nullptr;
  CUdeviceptr memory = 0;
  int value = 10 * number, back = 0;
  if (cuInit(0) != CUDA_SUCCESS || create_context(&context, 0, 0) != CUDA_SUCCESS) return -1;
  if (cuModuleLoad(&module, lesson::beside_program("kernels.ptx").c_str()) != CUDA_SUCCESS) return -1;
  if (cuModuleGetFunction(&store, module, "store") != CUDA_SUCCESS) return -1;
  if (cuMemAlloc(&memory, sizeof value) != CUDA_SUCCESS) return -1;
  CUdeviceptr where = number == 2 ? kNowhere : memory;
  void* parameters[] = {&where, &value};
  if (cuLaunchKernel(store, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) != CUDA_SUCCESS) return -1;
  if (cuCtxSynchronize() != CUDA_SUCCESS) return -1;
  if (cuMemcpyDtoH(&back, memory, sizeof back) != CUDA_SUCCESS) return -1;
  if (cuMemFree(memory) != CUDA_SUCCESS || cuCtxDestroy(context) != CUDA_SUCCESS) return -1;
  return back;
}

// Runs the jobs 1, 2 and 3, each in a process of its own, and returns their results. The results are small
// enough for an exit status. This process does not call the driver.
std::array<int, 3> supervise() {
  std::array<int, 3> results = {-1, -1, -1};
  int ends[2] = {-1, -1};
  std::fflush(stdout);
  if (pipe(ends) != 0) return results;
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 3; ++i) {
      const int result = job(i + 1);
      if (write(ends[1], &result, sizeof result) != static_cast<ssize_t>(sizeof result)) _exit(1);
    }
    _exit(0);
  }
  close(ends[1]);
  for (int& result : results)
    if (read(ends[0], &result, sizeof result) != static_cast<ssize_t>(sizeof result)) result = -1;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return results;
}

int main() {
  const std::array<int, 3> results = supervise();
  for (std::size_t i = 0; i < results.size(); ++i) std::printf("job %zu: %d\n", i + 1, results[i]);
  claim("job 1 returned 10", results[0] == 10);
  claim("job 2 broke", results[1] == -1);
  claim("job 3 returned 30", results[2] == 30);

  // Whatever broke in a job, the process that supervises them can still use the driver.
  CUcontext context = nullptr;
  CUdeviceptr memory = 0;
  check(cuInit(0));
  check(create_context(&context, 0, 0));
  check(cuMemAlloc(&memory, lesson::KiB));
  check(cuMemFree(memory));
  check(cuCtxDestroy(context));
}

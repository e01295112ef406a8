// Exercise 23, the project: a supervisor. Three jobs use the GPU, and one of them breaks. The other two
// deliver their results, and the supervisor keeps running. Write the two functions.
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "check.hpp"

inline constexpr CUdeviceptr kNowhere = 16;  // there is no memory, neither on a device nor on the host

// One job, in a process that has not yet used the driver: it lets the kernel `store` of kernels.ptx write
// 10 * number to device memory of its own, waits, reads the number back and returns it. Job 2 has a mistake:
// it gives the kernel the address kNowhere. Returns -1 as soon as a call fails.
int job([[maybe_unused]] int number) {
  // Write this function.
  return 0;
}

// Runs the jobs 1, 2 and 3, each in a process of its own, and returns their results. The results are small
// enough for an exit status. This process does not call the driver.
std::array<int, 3> supervise() {
  // Write this function.
  return {};
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

// Two processes and one piece of device memory: the child adds to what the parent wrote.
#include <sys/wait.h>
#include <unistd.h>

#include "sample.hpp"

namespace {

int in_child(int from) {
  CUipcMemHandle handle = {};
  if (read(from, &handle, sizeof handle) != static_cast<ssize_t>(sizeof handle)) return 1;
  const sample::Device device;
  CUdeviceptr shared = 0;
  CHECK(cuIpcOpenMemHandle(&shared, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  const CUmodule module =
      sample::load(R"(extern "C" __global__ void add(int* v) { v[threadIdx.x] += 100; })");
  sample::launch(sample::kernel(module, "add"), 1, 4, nullptr, &shared);
  CHECK(cuCtxSynchronize());
  CHECK(cuIpcCloseMemHandle(shared));
  return 0;
}

}  // namespace

int main() {
  int ends[2] = {};
  if (pipe(ends) != 0) return 1;
  const pid_t child = fork();  // before either has begun with the driver
  if (child == 0) return in_child(ends[0]);
  const sample::Device device;
  sample::Values<int> values(std::vector<int>{1, 2, 3, 4});
  CUipcMemHandle handle = {};
  CHECK(cuIpcGetMemHandle(&handle, values.address()));
  if (write(ends[1], &handle, sizeof handle) != static_cast<ssize_t>(sizeof handle)) return 1;
  int status = 0;
  waitpid(child, &status, 0);
  std::printf("the child ended with %d:", WEXITSTATUS(status));
  for (const int value : values.read()) std::printf(" %d", value);
  std::printf("\n");
}

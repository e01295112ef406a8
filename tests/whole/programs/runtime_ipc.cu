// Two processes, a piece of device memory and an event that both know.
#include <sys/wait.h>
#include <unistd.h>

#include "check.hpp"

__global__ void add(int* values, int what) {
  values[threadIdx.x] += what;
}

struct Shared {
  cudaIpcMemHandle_t memory;
  cudaIpcEventHandle_t event;
};

static int in_child(int from) {
  Shared shared;
  if (read(from, &shared, sizeof shared) != static_cast<ssize_t>(sizeof shared)) return 1;
  void* memory = nullptr;
  cudaEvent_t event = nullptr;
  CHECK(cudaIpcOpenMemHandle(&memory, shared.memory, cudaIpcMemLazyEnablePeerAccess));
  CHECK(cudaIpcOpenEventHandle(&event, shared.event));
  CHECK(cudaStreamWaitEvent(nullptr, event, 0));
  add<<<1, 4>>>(static_cast<int*>(memory), 100);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventDestroy(event));
  CHECK(cudaIpcCloseMemHandle(memory));
  return 0;
}

int main() {
  int ends[2] = {};
  if (pipe(ends) != 0) return 1;
  const pid_t child = fork();  // before either has begun with the runtime
  if (child == 0) return in_child(ends[0]);
  int *values, back[4] = {1, 2, 3, 4};
  CHECK(cudaMalloc(&values, sizeof back));
  CHECK(cudaMemcpy(values, back, sizeof back, cudaMemcpyHostToDevice));
  cudaEvent_t event = nullptr;
  CHECK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  add<<<1, 4>>>(values, 10);
  CHECK(cudaEventRecord(event));
  Shared shared;
  CHECK(cudaIpcGetMemHandle(&shared.memory, values));
  CHECK(cudaIpcGetEventHandle(&shared.event, event));
  if (write(ends[1], &shared, sizeof shared) != static_cast<ssize_t>(sizeof shared)) return 1;
  int status = 0;
  waitpid(child, &status, 0);
  CHECK(cudaMemcpy(back, values, sizeof back, cudaMemcpyDeviceToHost));
  std::printf("the child ended with %d: %d %d %d %d\n", WEXITSTATUS(status), back[0], back[1], back[2],
              back[3]);
}

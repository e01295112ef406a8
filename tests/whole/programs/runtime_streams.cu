// Two streams, an event between them, a callback and a host function, pinned memory.
#include <atomic>

#include "check.hpp"

__global__ void fill(int* values, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] = value;
}
__global__ void add(int* values, int n, int value) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) values[i] += value;
}

std::atomic<int> host_functions = 0;
std::atomic<int> callbacks = 0;
std::atomic<cudaError_t> told = cudaErrorUnknown;

void CUDART_CB call(void* counter) {
  ++*static_cast<std::atomic<int>*>(counter);
}
void CUDART_CB call_back(cudaStream_t, cudaError_t error, void* counter) {
  told = error;
  ++*static_cast<std::atomic<int>*>(counter);
}

int main() {
  const int n = 1024;
  cudaStream_t first, second;
  cudaEvent_t start, middle, end;
  int *values, *back;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreateWithFlags(&middle, cudaEventDisableTiming));
  CHECK(cudaEventCreate(&end, cudaEventBlockingSync));
  CHECK(cudaMalloc(&values, n * sizeof(int)));
  CHECK(cudaMallocHost(&back, n * sizeof(int)));
  CHECK(cudaEventRecord(start, first));
  fill<<<4, 64, 0, first>>>(values, n, 1);
  CHECK(cudaEventRecord(middle, first));
  CHECK(cudaStreamWaitEvent(second, middle));
  add<<<4, 64, 0, second>>>(values, n, 2);
  CHECK(cudaMemcpyAsync(back, values, n * sizeof(int), cudaMemcpyDeviceToHost, second));
  CHECK(cudaLaunchHostFunc(second, call, &host_functions));
  CHECK(cudaStreamAddCallback(second, call_back, &callbacks, 0));
  CHECK(cudaEventRecord(end, second));
  CHECK(cudaStreamSynchronize(second));
  CHECK(cudaStreamQuery(second));
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += back[i];
  std::printf("sum %d\n", sum);
  std::printf("host function %d, callback %d with %s\n", host_functions.load(), callbacks.load(),
              cudaGetErrorString(told));
  float milliseconds = -1;
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaEventElapsedTime(&milliseconds, start, end));
  std::printf("milliseconds not negative %d\n", milliseconds >= 0);
  CHECK(cudaEventDestroy(middle));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
  CHECK(cudaFreeHost(back));
  CHECK(cudaFree(values));
}

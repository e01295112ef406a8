// With a default stream of each thread, a launch without a stream does not wait for another thread's.
// options: --default-stream per-thread
// prints: the other thread's work was done 1
// prints: result 5
#include <thread>

#include "check.h"

__global__ void wait(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void set(int* where, int value) {
  *where = value;
}

int main() {
  volatile int* flag;
  CHECK(cudaHostAlloc(const_cast<int**>(&flag), sizeof(int), cudaHostAllocMapped));
  *flag = 0;
  wait<<<1, 1>>>(flag);  // goes on until the host says so
  int *value, back = 0;
  CHECK(cudaMalloc(&value, sizeof(int)));
  bool done = false;
  std::thread([&] {
    set<<<1, 1>>>(value, 5);
    CHECK(cudaStreamSynchronize(nullptr));  // this thread's own
    done = true;
  }).join();
  std::printf("the other thread's work was done %d\n", done);
  *flag = 1;
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&back, value, sizeof back, cudaMemcpyDeviceToHost));
  std::printf("result %d\n", back);
}

// options: --default-stream per-thread

// With a default stream of each thread, a launch without a stream does not wait for another thread's.
//
// Everything is launched once before: the first launch of a kernel loads it, and a driver that loads lazily
// may wait then for what runs, which here is a kernel that never ends by itself.
#include <chrono>
#include <future>
#include <thread>

#include "check.hpp"

__global__ void wait(volatile int* flag) {
  while (*flag == 0) {
  }
}
__global__ void set(int* where, int value) {
  *where = value;
}

int main() {
  int *flag, *value, back = 0;
  CHECK(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped));
  CHECK(cudaMalloc(&value, sizeof(int)));
  volatile int& go = *flag;
  go = 1;
  wait<<<1, 1>>>(flag);
  CHECK(cudaStreamSynchronize(nullptr));
  std::promise<void> ready, waiting, done;
  std::thread other([&] {
    set<<<1, 1>>>(value, 4);
    CHECK(cudaStreamSynchronize(nullptr));
    ready.set_value();
    waiting.get_future().wait();
    set<<<1, 1>>>(value, 5);
    CHECK(cudaStreamSynchronize(nullptr));  // this thread's own
    done.set_value();
  });
  ready.get_future().wait();
  go = 0;
  wait<<<1, 1>>>(flag);  // goes on until the host says so
  waiting.set_value();
  const bool in_time = done.get_future().wait_for(std::chrono::seconds(100)) == std::future_status::ready;
  go = 1;
  other.join();
  std::printf("the other thread's work was done %d\n", in_time);
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(&back, value, sizeof back, cudaMemcpyDeviceToHost));
  std::printf("result %d\n", back);
}

// The same work on every device, each from a thread of its own; and what a thread's device is.
#include <atomic>
#include <thread>
#include <vector>

#include "check.hpp"

__device__ int total;

__global__ void count(int what) {
  atomicAdd(&total, what);
}

int main() {
  int devices = 0;
  CHECK(cudaGetDeviceCount(&devices));
  std::atomic<int> wrong = 0, elsewhere = 0;
  std::vector<std::thread> threads;
  for (int device = 0; device < devices; ++device)
    threads.emplace_back([&, device] {
      CHECK(cudaSetDevice(device));
      count<<<2, 64>>>(device + 1);
      int sum = 0, chosen = -1;
      CHECK(cudaMemcpyFromSymbol(&sum, total, sizeof sum));  // each device has its own
      wrong += sum != 128 * (device + 1);
      CHECK(cudaGetDevice(&chosen));
      elsewhere += chosen != device;
    });
  for (std::thread& thread : threads) thread.join();
  int here = -1;
  CHECK(cudaGetDevice(&here));
  std::printf("wrong sums %d, threads elsewhere %d, this thread is at device %d\n", wrong.load(),
              elsewhere.load(), here);
}

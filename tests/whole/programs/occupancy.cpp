// How many blocks fit, and which block is proposed: within what any device can hold.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUfunction kernel = sample::kernel(
      sample::load(R"(extern "C" __global__ void one(int* p) { p[threadIdx.x] = 1; })"), "one");
  int per_processor = 0;
  CHECK(cuDeviceGetAttribute(&per_processor, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR,
                             device.device()));
  for (const int threads : {32, 128, 1024}) {
    int blocks = 0;
    CHECK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0));
    std::printf("%d threads: %s\n", threads,
                blocks > 0 && blocks * threads <= per_processor ? "fits" : "does not fit");
  }
  int blocks = 0;
  const CUresult result =
      cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 128, std::size_t{1} << 30);
  std::printf("with too much shared memory: %d blocks, %d\n", blocks, static_cast<int>(result));
  int grid = 0, block = 0;
  CHECK(cuOccupancyMaxPotentialBlockSize(&grid, &block, kernel, nullptr, 0, 0));
  std::printf("proposed: %s\n", grid > 0 && block % 32 == 0 && block <= 1024 ? "whole warps" : "nonsense");
}

// What kernels print comes out when somebody waits for them.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module = sample::load(R"(extern "C" __global__ void say(double x) {
  printf("thread %d of %u: %5.2f %s %c %x\n", threadIdx.x, blockDim.x, x * threadIdx.x, "words", 'c', 255u);
})");
  double value = 1.25;
  for (unsigned threads = 1; threads <= 3; ++threads)
    sample::launch(sample::kernel(module, "say"), 1, threads, nullptr, &value);
  std::printf("before\n");
  std::fflush(stdout);
  CHECK(cuCtxSynchronize());
  std::printf("after\n");
}

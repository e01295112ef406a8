// Every atomic operation on integers, from many blocks.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module = sample::load(R"(extern "C" __global__ void all(int* v) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&v[0], 2);
  atomicSub(&v[1], 1);
  atomicMax(&v[2], i);
  atomicMin(&v[3], -i);
  atomicInc((unsigned*)&v[4], 16);
  atomicAnd(&v[5], ~(1 << (i % 8)));
  atomicOr(&v[6], 1 << (i % 20));
  atomicXor(&v[7], i);
  int old = v[8], seen;
  do { seen = old; old = atomicCAS(&v[8], seen, seen + 3); } while (seen != old);
  atomicExch(&v[9], 42);
})");
  std::vector<int> start(10, 0);
  start[5] = 0xffff;
  sample::Values<int> values(start);
  sample::launch(sample::kernel(module, "all"), 64, 128, nullptr, values.argument());
  const std::vector<int> result = values.read();
  const char* const names[] = {"add", "sub", "max", "min", "inc", "and", "or", "xor", "cas", "exch"};
  for (std::size_t i = 0; i < result.size(); ++i) std::printf("%s %d\n", names[i], result[i]);
}

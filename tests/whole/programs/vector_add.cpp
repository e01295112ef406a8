// Adds two vectors whose length is no multiple of the block.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module =
      sample::load(R"(extern "C" __global__ void add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
})");
  int n = 50000;
  std::vector<float> a, b;
  for (int i = 0; i < n; ++i) {
    a.push_back(static_cast<float>(i));
    b.push_back(static_cast<float>(2 * i) + 0.5F);
  }
  sample::Values<float> da(a), db(b), dc(a.size());
  sample::launch(sample::kernel(module, "add"), 196, 256, nullptr, da.argument(), db.argument(),
                 dc.argument(), &n);
  const std::vector<float> c = dc.read();
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[static_cast<std::size_t>(i)] != static_cast<float>(3 * i) + 0.5F;
  std::printf("%d sums, %d wrong\n", n, wrong);
}

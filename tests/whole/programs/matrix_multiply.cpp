// Multiplies matrices by tiles in shared memory.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module =
      sample::load(R"(extern "C" __global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += 16) {
    as[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
})");
  int n = 96;
  std::vector<float> a, b;
  for (int i = 0; i < n * n; ++i) {
    a.push_back(static_cast<float>(i % 7));
    b.push_back(static_cast<float>(i % 5));
  }
  sample::Values<float> da(a), db(b), dc(a.size());
  void* arguments[] = {da.argument(), db.argument(), dc.argument(), &n};
  const auto tiles = static_cast<unsigned>(n / 16);
  CHECK(cuLaunchKernel(sample::kernel(module, "multiply"), tiles, tiles, 1, 16, 16, 1, 0, nullptr, arguments,
                       nullptr));
  const std::vector<float> c = dc.read();
  int wrong = 0;
  for (int row = 0; row < n; ++row)
    for (int column = 0; column < n; ++column) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[static_cast<std::size_t>(row * n + k)] * b[static_cast<std::size_t>(k * n + column)];
      wrong += sum != c[static_cast<std::size_t>(row * n + column)];
    }
  std::printf("%d by %d, %d wrong, the last is %g\n", n, n, wrong, static_cast<double>(c.back()));
}

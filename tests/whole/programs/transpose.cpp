// Transposes a matrix that is no multiple of the tile, by shared memory with a column to spare.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module =
      sample::load(R"(extern "C" __global__ void transpose(const int* in, int* out, int w, int h) {
  __shared__ int tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x;
  y = blockIdx.x * 16 + threadIdx.y;
  if (x < h && y < w) out[y * h + x] = tile[threadIdx.x][threadIdx.y];
})");
  int width = 100, height = 70;
  std::vector<int> in;
  for (int i = 0; i < width * height; ++i) in.push_back(i);
  sample::Values<int> from(in), to(in.size());
  void* arguments[] = {from.argument(), to.argument(), &width, &height};
  CHECK(cuLaunchKernel(sample::kernel(module, "transpose"), 7, 5, 1, 16, 16, 1, 0, nullptr, arguments,
                       nullptr));
  const std::vector<int> out = to.read();
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) wrong += out[static_cast<std::size_t>(x * height + y)] != y * width + x;
  std::printf("%d by %d, %d wrong\n", width, height, wrong);
}

// Matrices multiplied by tiles in shared memory, a template of two sizes, and a product that can be checked.
#include <vector>

#include "check.hpp"

template <int Tile>
__global__ void multiply(const float* a, const float* b, float* c, int inner, int columns) {
  __shared__ float tile_a[Tile][Tile], tile_b[Tile][Tile];
  const int row = static_cast<int>(blockIdx.y) * Tile + static_cast<int>(threadIdx.y);
  const int column = static_cast<int>(blockIdx.x) * Tile + static_cast<int>(threadIdx.x);
  float sum = 0;
  for (int start = 0; start < inner; start += Tile) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * inner + start + static_cast<int>(threadIdx.x)];
    tile_b[threadIdx.y][threadIdx.x] = b[(start + static_cast<int>(threadIdx.y)) * columns + column];
    __syncthreads();
    for (int k = 0; k < Tile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}

template <int Tile>
static int wrong_values(int rows, int inner, int columns) {
  std::vector<float> a(static_cast<size_t>(rows * inner), 1), b(static_cast<size_t>(inner * columns)),
      c(static_cast<size_t>(rows * columns));
  for (size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % static_cast<size_t>(columns));
  float *on_device_a, *on_device_b, *on_device_c;
  CHECK(cudaMalloc(&on_device_a, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&on_device_b, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&on_device_c, c.size() * sizeof(float)));
  CHECK(cudaMemcpy(on_device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(on_device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));
  const dim3 block(Tile, Tile),
      grid(static_cast<unsigned>(columns / Tile), static_cast<unsigned>(rows / Tile));
  multiply<Tile><<<grid, block>>>(on_device_a, on_device_b, on_device_c, inner, columns);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), on_device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (float* const memory : {on_device_a, on_device_b, on_device_c}) CHECK(cudaFree(memory));
  int wrong = 0;
  for (size_t i = 0; i < c.size(); ++i)
    wrong += c[i] != static_cast<float>(inner) * static_cast<float>(i % static_cast<size_t>(columns));
  return wrong;
}

int main() {
  std::printf("tiles of 16: %d wrong, tiles of 32: %d wrong\n", wrong_values<16>(64, 96, 128),
              wrong_values<32>(96, 64, 160));
}

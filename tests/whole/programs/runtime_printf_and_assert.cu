// What kernels print comes with the next synchronisation; an assertion that fails ends everything that
// follows.
#include <cassert>

#include "check.hpp"

__global__ void greet(int number, const char* word) {
  if (threadIdx.x == 0)
    printf("block %u of %u: %d %.2f %s %c%%\n", blockIdx.x, gridDim.x, number, number / 4.0, word, '%');
}
__global__ void hold(int limit) {
  assert(static_cast<int>(threadIdx.x) < limit);
}

int main() {
  char* word;
  CHECK(cudaMallocManaged(&word, 8));
  word[0] = 'o';
  word[1] = 'k';
  word[2] = '\0';
  for (int number = 1; number <= 3; ++number) greet<<<1, 32>>>(number, word);
  CHECK(cudaDeviceSynchronize());
  hold<<<1, 8>>>(8);
  std::printf("it holds: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  std::fflush(stdout);
  hold<<<1, 8>>>(7);
  std::printf("it does not: %s, ", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf("and then: %s\n", cudaGetErrorName(cudaFree(word)));
}

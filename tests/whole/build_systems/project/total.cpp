// SPDX-License-Identifier: MIT
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <numeric>
#include <vector>

#include "sums.hpp"

int main() {
  std::vector<int> values(1000);
  std::iota(values.begin(), values.end(), 1);
  int runtime = 0, driver = 0;
  cudaRuntimeGetVersion(&runtime);
  cuDriverGetVersion(&driver);
  std::printf("%d, as of CUDA %d and %d\n", sum_of(values.data(), 1000), runtime / 1000, driver / 1000);
}

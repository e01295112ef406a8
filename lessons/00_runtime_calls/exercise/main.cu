// Exercise 00: double_all() should double 2000 numbers. No call that is checked fails, and no number changes.
#include "check_runtime.hpp"

constexpr int kCount = 2000;

__global__ void twice(int* numbers, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) numbers[i] *= 2;
}

// Doubles all numbers on the device.
void double_all(int* memory) {
  twice<<<1, kCount>>>(memory, kCount);
}

int main() {
  static int numbers[kCount];
  int* memory = nullptr;
  int doubled = 0;
  for (int i = 0; i < kCount; ++i) numbers[i] = i + 1;
  check(cudaMalloc(&memory, sizeof numbers));
  check(cudaMemcpy(memory, numbers, sizeof numbers, cudaMemcpyHostToDevice));
  double_all(memory);
  check(cudaMemcpy(numbers, memory, sizeof numbers, cudaMemcpyDeviceToHost));
  for (int i = 0; i < kCount; ++i) doubled += numbers[i] == 2 * (i + 1);
  claim("all 2000 numbers are doubled", doubled == kCount);
  check(cudaFree(memory));
}

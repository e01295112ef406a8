// Exercise 00, a wrong answer: the launch is right, but the next mistake would again go unnoticed.
#include "check_runtime.hpp"

constexpr int kCount = 2000;

__global__ void twice(int* numbers, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) numbers[i] *= 2;
}

// Doubles all numbers on the device.
void double_all(int* memory) {
  twice<<<(kCount + 255) / 256, 256>>>(memory, kCount);
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

// The last error: what sets it, what reads it, what forgets it; and a kernel that goes wrong.
#include <thread>

#include "check.hpp"

__global__ void write(int* where) {
  *where = 1;
}

int main() {
  const cudaError_t returned = cudaMalloc(static_cast<void**>(nullptr), 4);
  const cudaError_t peeked = cudaPeekAtLastError();
  const cudaError_t read = cudaGetLastError();
  std::printf("%s %s %s %s\n", cudaGetErrorName(returned), cudaGetErrorName(peeked), cudaGetErrorName(read),
              cudaGetErrorName(cudaGetLastError()));
  int* memory;
  cudaSetDevice(77);
  CHECK(cudaMalloc(&memory, 4));
  cudaError_t of_thread = cudaErrorUnknown;
  std::thread([&] { of_thread = cudaPeekAtLastError(); }).join();
  std::printf("later calls that succeed leave it: %s\n", cudaGetErrorName(cudaGetLastError()));
  std::printf("another thread has its own: %s\n", cudaGetErrorName(of_thread));
  static int plain;
  const cudaError_t kernel =
      cudaLaunchKernel(static_cast<const void*>(&plain), dim3(1), dim3(1), nullptr, 0, nullptr);
  void* address = nullptr;
  const cudaError_t symbol = cudaGetSymbolAddress(&address, plain);
  std::printf("not a kernel: %s, not a symbol: %s\n", cudaGetErrorName(kernel), cudaGetErrorName(symbol));
  write<<<1, 1>>>(reinterpret_cast<int*>(0x10));
  const cudaError_t fault = cudaDeviceSynchronize();
  std::printf("fault: %s, then %s\n", cudaGetErrorName(fault), cudaGetErrorName(cudaMalloc(&memory, 4)));
}

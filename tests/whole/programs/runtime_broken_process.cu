// What works in a process after a kernel has failed: which calls return the error, which do not, and that
// nothing clears it. Before that, copies beyond the end of a variable.
#include "check.hpp"

__device__ int variable[4];

__global__ void write(int* where) {
  *where = 1;
}

void say(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}

int main() {
  int values[16] = {};
  void* memory = nullptr;
  CHECK(cudaMemcpyToSymbol(variable, values, sizeof variable));
  say("a value too many", cudaMemcpyToSymbol(variable, values, sizeof variable + sizeof(int)));
  say("beyond the end by its offset", cudaMemcpyToSymbol(variable, values, 8, 12));
  say("read beyond the end", cudaMemcpyFromSymbol(values, variable, sizeof values));
  say("the last error", cudaGetLastError());

  write<<<1, 1>>>(reinterpret_cast<int*>(0x10));
  say("the launch", cudaGetLastError());
  say("waiting for it", cudaDeviceSynchronize());
  say("looked at", cudaPeekAtLastError());
  say("read", cudaGetLastError());
  say("read again", cudaGetLastError());
  say("the next call", cudaMalloc(&memory, 4));
  say("which is the last error", cudaGetLastError());
  say("a reset", cudaDeviceReset());
  say("and after it", cudaMalloc(&memory, 4));
}

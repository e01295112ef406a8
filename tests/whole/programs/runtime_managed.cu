// Variables that host and kernels share by name: numbers, arrays, structs, templates, addresses; used by the
// host before the program's first call of the runtime.
#include "check.hpp"

struct Account {
  int deposits;
  double balance;
  __host__ __device__ double mean() const { return deposits == 0 ? 0 : balance / deposits; }
};

__managed__ int counter = 5;
static __managed__ int histogram[4] = {1, 2, 3};
__managed__ Account account;
__managed__ int* chosen;
__device__ int plain = 40;

__global__ void count(const int* values, int n) {
  const int i = static_cast<int>(threadIdx.x);
  if (i >= n) return;
  atomicAdd(&histogram[values[i] % 4], 1);
  atomicAdd(&counter, 1);
}

template <typename Amount>
__global__ void deposit(Account* to, Amount amount) {
  to->deposits += 1;
  to->balance += amount;
}

__global__ void add_to_chosen() {
  *chosen += plain;
}

int twice(const int& value) {
  return 2 * value;
}

int main() {
  counter *= 10;
  for (int& each : histogram) each += 100;
  std::printf("before any call: %d, %d %d %d %d\n", counter, histogram[0], histogram[1], histogram[2],
              histogram[3]);

  int* values;
  CHECK(cudaMallocManaged(&values, 10 * sizeof(int)));
  for (int i = 0; i < 10; ++i) values[i] = i;
  count<<<1, 32>>>(values, 10);
  CHECK(cudaDeviceSynchronize());
  std::printf("counted: %d, %d %d %d %d, twice %d\n", counter, histogram[0], histogram[1], histogram[2],
              histogram[3], twice(counter));

  deposit<<<1, 1>>>(&account, 2.5F);
  deposit<<<1, 1>>>(&account, 4);
  CHECK(cudaDeviceSynchronize());
  std::printf("%d deposits, mean %.2f\n", account.deposits, account.mean());

  for (const bool first : {true, false}) {
    chosen = first ? &counter : &histogram[2];
    add_to_chosen<<<1, 1>>>();
    CHECK(cudaDeviceSynchronize());
  }
  std::printf("chosen: %d, %d\n", counter, histogram[2]);

  void* address = nullptr;
  size_t size = 0;
  CHECK(cudaGetSymbolAddress(&address, histogram));
  CHECK(cudaGetSymbolSize(&size, histogram));
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, &histogram[1]));
  std::printf("one address for both: %d, %d bytes, managed: %d\n", address == histogram,
              static_cast<int>(size), attributes.type == cudaMemoryTypeManaged);
  int copy = 0;
  CHECK(cudaMemcpyFromSymbol(&copy, counter, sizeof copy));
  const int seven = 7;
  CHECK(cudaMemcpyToSymbol(histogram, &seven, sizeof seven, 3 * sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  std::printf("copied: %d there, %d here\n", histogram[3], copy);
  CHECK(cudaFree(values));
}

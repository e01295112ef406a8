// Three old acquaintances: a sum by halves and shuffles, a running sum within a block, and a count of
// letters.
#include "sample.hpp"

int main() {
  const sample::Device device;
  const CUmodule module = sample::load(R"(
extern "C" __global__ void sum(const int* in, int* out, int n) {
  __shared__ int part[8];
  int s = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
  for (int o = 16; o > 0; o /= 2) s += __shfl_down_sync(~0u, s, o);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  if (threadIdx.x == 0) { for (int w = 1; w < 8; ++w) s += part[w]; atomicAdd(out, s); }
}
extern "C" __global__ void scan(int* v) {
  __shared__ int s[2][256];
  int t = threadIdx.x, from = 0;
  s[0][t] = v[t];
  __syncthreads();
  for (int o = 1; o < 256; o *= 2) {
    s[1 - from][t] = t >= o ? s[from][t] + s[from][t - o] : s[from][t];
    from = 1 - from;
    __syncthreads();
  }
  v[t] = s[from][t];
}
extern "C" __global__ void count(const int* in, int* bins, int n) {
  __shared__ int local[16];
  if (threadIdx.x < 16) local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&local[in[i] & 15], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], local[threadIdx.x]);
})");
  int n = 100000;
  std::vector<int> in;
  for (int i = 0; i < n; ++i) in.push_back((i * 7919) % 1000);
  sample::Values<int> numbers(in), total(1), bins(16);
  sample::launch(sample::kernel(module, "sum"), 20, 256, nullptr, numbers.argument(), total.argument(), &n);
  sample::launch(sample::kernel(module, "count"), 20, 256, nullptr, numbers.argument(), bins.argument(), &n);
  std::printf("sum %d\nbins", total.read()[0]);
  for (const int bin : bins.read()) std::printf(" %d", bin);
  sample::launch(sample::kernel(module, "scan"), 1, 256, nullptr, numbers.argument());
  const std::vector<int> running = numbers.read();
  std::printf("\nrunning sums %d %d %d %d\n", running[0], running[1], running[127], running[255]);
}

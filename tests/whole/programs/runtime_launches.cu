// The other ways to launch: by function, with a configuration, cooperatively; code loaded by hand.
#include <cooperative_groups.h>

#include "check.hpp"

__global__ void add(int* value, long long what, char more) {
  *value += static_cast<int>(what) + more;
}

__global__ void count(int* arrived, int* seen) {
  atomicAdd(arrived, 1);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) *seen = *arrived;
}

const char text[] = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry seven(.param .u64 where) {
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [where];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.u32 [%rd2], 7;
  ret;
}
)";

int read(const int* value) {
  int back = 0;
  CHECK(cudaMemcpy(&back, value, sizeof back, cudaMemcpyDeviceToHost));
  return back;
}

int main() {
  int *value, *seen;
  CHECK(cudaMalloc(&value, sizeof(int)));
  CHECK(cudaMalloc(&seen, sizeof(int)));
  CHECK(cudaMemset(value, 0, sizeof(int)));
  long long four = 4;
  char one = 1;
  void* arguments[] = {&value, &four, &one};
  CHECK(cudaLaunchKernel(add, dim3(1), dim3(1), arguments));
  std::printf("by address %d\n", read(value));

  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  cudaLaunchAttribute priority;
  priority.id = cudaLaunchAttributePriority;
  priority.val.priority = 0;
  config.attrs = &priority;
  config.numAttrs = 1;
  CHECK(cudaLaunchKernelEx(&config, add, value, 5, 1));
  std::printf("with a configuration %d\n", read(value));

  CHECK(cudaMemset(value, 0, sizeof(int)));
  void* both[] = {&value, &seen};
  CHECK(cudaLaunchCooperativeKernel(count, dim3(2), dim3(32), both));
  std::printf("cooperative %d\n", read(seen));

  cudaKernel_t kernel;
  CHECK(cudaGetKernel(&kernel, add));
  CHECK(cudaMemset(value, 0, sizeof(int)));
  long long fifteen = 15;
  void* others[] = {&value, &fifteen, &one};
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), others, 0, nullptr));
  std::printf("handle of the kernel %d\n", read(value));

  cudaLibrary_t library;
  CHECK(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  CHECK(cudaLibraryGetKernel(&kernel, library, "seven"));
  CHECK(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3(1), dim3(1), arguments, 0, nullptr));
  std::printf("loaded %d\n", read(value));
  CHECK(cudaLibraryUnload(library));
}

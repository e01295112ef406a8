// SPDX-License-Identifier: MIT
// A program with the marks of NVTX, in C and in C++, which nobody reads: it runs as without them.
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtCudaRt.h>

#include <cstdio>
#include <nvtx3/nvtx3.hpp>

struct of_this_program {
  static constexpr const char* name = "sums";
};

__global__ void add(int* sum, int value) {
  *sum += value;
}

int sum_of(int count) {
  NVTX3_FUNC_RANGE();
  const nvtx3::scoped_range_in<of_this_program> range{"sum", nvtx3::rgb{255, 0, 0}, nvtx3::payload{count}};
  int* sum;
  cudaMallocManaged(&sum, sizeof *sum);
  *sum = 0;
  for (int i = 1; i <= count; ++i) {
    const int depth = nvtxRangePushA("one");
    add<<<1, 1>>>(sum, i);
    if (depth != nvtxRangePop()) std::printf("pushed and popped at different depths\n");
    nvtx3::mark("launched");
  }
  cudaDeviceSynchronize();
  const int result = *sum;
  cudaFree(sum);
  return result;
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  nvtxNameCudaStreamA(stream, "mine");
  nvtxNameOsThreadA(1, "main");
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("program");
  nvtxEventAttributes_t event = {};
  event.version = NVTX_VERSION;
  event.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  event.colorType = NVTX_COLOR_ARGB;
  event.color = 0xff00ff00;
  event.messageType = NVTX_MESSAGE_TYPE_ASCII;
  event.message.ascii = "all";
  const nvtxRangeId_t all = nvtxDomainRangeStartEx(domain, &event);
  const nvtx3::unique_range rest{"rest"};
  std::printf("%d, %d bytes of attributes\n", sum_of(10), static_cast<int>(event.size));
  nvtxDomainRangeEnd(domain, all);
  nvtxDomainDestroy(domain);
  cudaStreamDestroy(stream);
}

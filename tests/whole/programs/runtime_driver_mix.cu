// The runtime and the driver API in one program: both mean the same context, memory, streams and kernels.
#include <cuda.h>

#include <vector>

#include "check.hpp"

__global__ void scale(float* values, int n, float factor) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) values[i] *= factor;
}

static void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  std::printf("%s: %d\n", what, result);
  std::exit(1);
}

int main() {
  CHECK(cudaSetDevice(0));
  CUcontext current = nullptr, primary = nullptr;
  check(cuCtxGetCurrent(&current), "cuCtxGetCurrent");
  check(cuDevicePrimaryCtxRetain(&primary, 0), "cuDevicePrimaryCtxRetain");
  std::printf("the runtime's context is the primary one: %d\n", current == primary);

  int n = 1000;
  CUdeviceptr memory = 0;
  check(cuMemAlloc(&memory, static_cast<size_t>(n) * sizeof(float)), "cuMemAlloc");
  float* const values = reinterpret_cast<float*>(memory);
  std::vector<float> numbers(static_cast<size_t>(n), 1.5F);
  CHECK(cudaMemcpy(values, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice));
  scale<<<4, 256>>>(values, n, 2);

  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  cudaFunction_t function = nullptr;
  CHECK(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(scale)));
  float four = 4;
  void* arguments[] = {&memory, &n, &four};
  check(cuCtxSynchronize(), "cuCtxSynchronize");
  check(cuLaunchKernel(function, 4, 1, 1, 256, 1, 1, 0, stream, arguments, nullptr), "cuLaunchKernel");
  CHECK(cudaStreamSynchronize(stream));
  check(cuMemcpyDtoH(numbers.data(), memory, numbers.size() * sizeof(float)), "cuMemcpyDtoH");
  int wrong = 0;
  for (const float number : numbers) wrong += number != 12;
  std::printf("memory of the driver, kernels launched by both: %d wrong\n", wrong);

  CUcontext of_stream = nullptr;
  check(cuStreamGetCtx(stream, &of_stream), "cuStreamGetCtx");
  cudaPointerAttributes attributes;
  CHECK(cudaPointerGetAttributes(&attributes, values));
  std::printf("the stream is the driver's too: %d, the memory is the runtime's too: %d\n",
              of_stream == primary, attributes.type == cudaMemoryTypeDevice);
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(values));
  check(cuDevicePrimaryCtxRelease(0), "cuDevicePrimaryCtxRelease");
}

// SPDX-License-Identifier: MIT
// The time of a call of the runtime, compared with the driver call that it makes.
//
// Both are made alternately within one run, and the best of many rounds counts for each, so that a loaded
// machine disturbs both alike. Uses only the two headers, so that it measures the libcudart and libcuda that
// the loader finds first.
#include <cuda.h>
#include <cuda_runtime_api.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <functional>

namespace {

constexpr int rounds = 400;
constexpr int calls = 200;

constexpr const char* text = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry nothing(.param .u64 unused) { ret; }
)";

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "runtime_calls: the driver answered %d\n", result);
  std::exit(1);
}
void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "runtime_calls: %s\n", cudaGetErrorName(error));
  std::exit(1);
}

double nanoseconds_a_call(const std::function<void()>& call) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) call();
  const std::chrono::duration<double, std::nano> passed = std::chrono::steady_clock::now() - start;
  check(cuCtxSynchronize());
  return passed.count() / calls;
}

void compare(const char* what, const std::function<void()>& by_driver,
             const std::function<void()>& by_runtime) {
  double driver = 1e12, runtime = 1e12;
  for (int round = 0; round < rounds; ++round) {
    driver = std::min(driver, nanoseconds_a_call(by_driver));
    runtime = std::min(runtime, nanoseconds_a_call(by_runtime));
  }
  std::printf("%-44s driver %7.1f ns, runtime %7.1f ns, added %6.1f ns  (goal: at most 100)\n", what, driver,
              runtime, runtime - driver);
}

}  // namespace

int main() {
  void* memory = nullptr;
  int value = 7;
  check(cudaMalloc(&memory, 4096));
  const auto address = reinterpret_cast<CUdeviceptr>(memory);
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  compare(
      "4 bytes to the device", [&] { check(cuMemcpyHtoD(address, &value, 4)); },
      [&] { check(cudaMemcpy(memory, &value, 4, cudaMemcpyHostToDevice)); });
  compare(
      "4 bytes back", [&] { check(cuMemcpyDtoH(&value, address, 4)); },
      [&] { check(cudaMemcpy(&value, memory, 4, cudaMemcpyDeviceToHost)); });
  compare(
      "4 bytes, later, on a stream", [&] { check(cuMemcpyHtoDAsync(address, &value, 4, stream)); },
      [&] { check(cudaMemcpyAsync(memory, &value, 4, cudaMemcpyHostToDevice, stream)); });

  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  check(cudaLibraryLoadData(&library, text, nullptr, nullptr, 0, nullptr, nullptr, 0));
  check(cudaLibraryGetKernel(&kernel, library, "nothing"));
  void* arguments[] = {&memory};
  const auto function = reinterpret_cast<CUfunction>(kernel);
  const dim3 one = {1, 1, 1};
  compare(
      "an empty launch",
      [&] { check(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, arguments, nullptr)); },
      [&] {
        check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), one, one, arguments, 0, stream));
      });
  compare("cudaStreamQuery", [&] { cuStreamQuery(stream); }, [&] { cudaStreamQuery(stream); });
  check(cudaLibraryUnload(library));
}

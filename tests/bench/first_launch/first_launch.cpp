// SPDX-License-Identifier: MIT
// How long a program waits for its first kernel: PTX text loaded, launched, waited for.
//
// Each round is a separate child process, because only a process's first launch counts: with an empty cache,
// with a cache that has the kernel, and the second kernel of a process. Uses only cuda.h.
#include <cuda.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr int rounds = 25;

constexpr const char* saxpy = R"(
.version 7.0
.target sm_52
.address_size 64
.visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y) {
  .reg .pred %p<2>; .reg .f32 %f<5>; .reg .b32 %r<6>; .reg .b64 %rd<7>;
  ld.param.u32 %r2, [n]; ld.param.f32 %f1, [a]; ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y];
  mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ntid.x; mov.u32 %r5, %tid.x;
  mad.lo.s32 %r1, %r3, %r4, %r5; setp.ge.s32 %p1, %r1, %r2; @%p1 bra END;
  cvta.to.global.u64 %rd3, %rd1; mul.wide.s32 %rd4, %r1, 4; add.s64 %rd5, %rd3, %rd4; ld.global.f32 %f2, [%rd5];
  cvta.to.global.u64 %rd6, %rd2; add.s64 %rd6, %rd6, %rd4; ld.global.f32 %f3, [%rd6];
  fma.rn.f32 %f4, %f1, %f2, %f3; st.global.f32 [%rd6], %f4;
END:
  ret;
}
)";

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "first_launch: %s\n", name != nullptr ? name : "no result");
  _exit(1);
}

double load_and_launch(CUdeviceptr memory) {
  const auto begin = std::chrono::steady_clock::now();
  CUmodule module = nullptr;
  CUfunction function = nullptr;
  check(cuModuleLoadData(&module, saxpy));
  check(cuModuleGetFunction(&function, module, "saxpy"));
  int n = 256;
  float a = 2;
  void* parameters[] = {&n, &a, &memory, &memory};
  check(cuLaunchKernel(function, 1, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  check(cuCtxSynchronize());
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// What a child measured, through a pipe: the first kernel, then the same text once more.
bool measure(double (&result)[2]) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    CUcontext context = nullptr;
    CUdeviceptr memory = 0;
    check(cuInit(0));
    check(cuCtxCreate(&context, nullptr, 0, 0));
    check(cuMemAlloc(&memory, 4096));
    const double times[2] = {load_and_launch(memory), load_and_launch(memory)};
    _exit(write(ends[1], times, sizeof times) == sizeof times ? 0 : 1);
  }
  close(ends[1]);
  const bool whole = read(ends[0], result, sizeof result) == sizeof result;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  return whole;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main() {
  namespace fs = std::filesystem;
  const fs::path cache = fs::temp_directory_path() / ("first_launch." + std::to_string(getpid()));
  setenv("CUDA_CACHE_PATH", cache.c_str(), 1);
  std::vector<double> cold, warm, second;
  for (int round = 0; round < 2 * rounds; ++round) {
    if (round < rounds) fs::remove_all(cache);
    double times[2];
    if (!measure(times)) return 1;
    (round < rounds ? cold : warm).push_back(times[0]);
    second.push_back(times[1]);
  }
  fs::remove_all(cache);
  std::printf("first launch of a process, nothing cached:  %6.2f ms  (goal: 25)\n", median(cold));
  std::printf("first launch of a process, from the cache:  %6.2f ms  (goal: 3)\n", median(warm));
  std::printf("the same text once more in that process:    %6.2f ms  (H200, load and unload: 0.09 to 0.13)\n",
              median(second));
}

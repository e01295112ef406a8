// SPDX-License-Identifier: MIT
// How long a program waits for NVRTC: SAXPY from source to PTX, the first compile of a process.
//
// Each round is a separate child process, with an empty cache and with a cache that has the result. The
// library is loaded before, as programs do. Uses only nvrtc.h.
#include <nvrtc.h>
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

constexpr int rounds = 15;

constexpr const char* saxpy = R"(extern "C" __global__
void saxpy(float a, float *x, float *y, float *out, size_t n)
{
 size_t tid = blockIdx.x * blockDim.x + threadIdx.x;
 if (tid < n) {
   out[tid] = a * x[tid] + y[tid];
 }
}
)";

void check(nvrtcResult result) {
  if (result == NVRTC_SUCCESS) return;
  std::fprintf(stderr, "first_compile: %s\n", nvrtcGetErrorString(result));
  std::_Exit(1);
}

double milliseconds_to_compile() {
  const auto start = std::chrono::steady_clock::now();
  nvrtcProgram program = nullptr;
  check(nvrtcCreateProgram(&program, saxpy, "saxpy.cu", 0, nullptr, nullptr));
  const char* const options[] = {"--fmad=false", "--gpu-architecture=compute_75"};
  check(nvrtcCompileProgram(program, 2, options));
  std::size_t size = 0;
  check(nvrtcGetPTXSize(program, &size));
  std::string ptx(size, '\0');
  check(nvrtcGetPTX(program, ptx.data()));
  check(nvrtcDestroyProgram(&program));
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  return passed.count();
}

double in_a_child() {
  int ends[2] = {};
  if (pipe(ends) != 0) return -1;
  if (fork() == 0) {
    const double time = milliseconds_to_compile();
    const ssize_t written = write(ends[1], &time, sizeof time);
    std::_Exit(written == static_cast<ssize_t>(sizeof time) ? 0 : 1);
  }
  close(ends[1]);
  double time = -1;
  if (read(ends[0], &time, sizeof time) != static_cast<ssize_t>(sizeof time)) time = -1;
  close(ends[0]);
  wait(nullptr);
  return time;
}

// Sorted, and false where a round failed.
bool measure(const std::filesystem::path& cache, bool emptied, std::vector<double>& times) {
  for (int round = 0; round < rounds; ++round) {
    if (emptied) std::filesystem::remove_all(cache);
    times.push_back(in_a_child());
  }
  std::sort(times.begin(), times.end());
  return times.front() >= 0;
}

void print(const char* what, const std::vector<double>& times, int goal) {
  std::printf("%-28s median %7.2f ms, best %7.2f ms  (goal: at most %d)\n", what, times[times.size() / 2],
              times.front(), goal);
}

}  // namespace

int main() {
  const std::filesystem::path cache =
      std::filesystem::temp_directory_path() / ("first_compile." + std::to_string(getpid()));
  setenv("CUDA_CACHE_PATH", cache.c_str(), 1);
  std::vector<double> cold, warm;
  const bool well = measure(cache, true, cold) && measure(cache, false, warm);
  std::filesystem::remove_all(cache);
  if (!well) return 1;
  print("SAXPY, first compile", cold, 120);
  print("SAXPY, from the cache", warm, 3);
}

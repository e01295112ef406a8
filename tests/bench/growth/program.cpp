// SPDX-License-Identifier: MIT
// A program with as many of one thing as wanted: bench_growth_program WHAT COUNT. See growth.py.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <thread>

#include "cuda.h"

namespace {

CUcontext g_context = nullptr;

// One more of it; false: there is no such thing.
bool one_more(std::string_view what, int number) {
  CUdevice device = 0;
  CUcontext made = nullptr;
  CUdeviceptr memory = 0;
  int value = 0;
  if (what == "calls") return cuCtxGetDevice(&device), true;
  if (what == "pushes") return cuCtxPushCurrent(g_context), true;
  if (what == "contexts") return cuCtxCreate(&made, nullptr, 0, 0), true;
  if (what == "allocations") return cuMemAlloc(&memory, 256), true;
  if (what == "streams") {
    CUstream stream = nullptr;
    return cuStreamCreate(&stream, CU_STREAM_DEFAULT), true;
  }
  if (what == "modules") {
    CUmodule module = nullptr;
    return cuModuleLoadData(&module, ".version 7.0\n.target sm_52\n.address_size 64\n"), true;
  }
  if (what == "texts") {
    CUmodule module = nullptr;
    return cuModuleLoad(&module, ("/nowhere/" + std::to_string(number) + ".ptx").c_str()), true;
  }
  if (what == "threads") return std::thread([&value] { cuDriverGetVersion(&value); }).join(), true;
  if (what != "processes") return false;
  const pid_t child = fork();
  if (child == 0) {
    cuDriverGetVersion(&value);
    _exit(0);
  }
  return waitpid(child, nullptr, 0) == child;
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc > 2 ? std::atoi(argv[2]) : 0;
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&g_context, nullptr, 0, 0) != CUDA_SUCCESS) return 1;
  for (int i = 0; i < count; ++i)
    if (!one_more(argv[1], i)) return std::fprintf(stderr, "unknown: %s\n", argv[1]), 2;
  return 0;
}

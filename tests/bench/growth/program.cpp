// SPDX-License-Identifier: MIT
// A program with as many of one thing as wanted: bench_growth_program WHAT COUNT. See growth.py. With "
// freed" behind WHAT all of them are given back at the end, in the order of their making.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cuda.h"

namespace {

CUcontext g_context = nullptr;
CUgraph g_graph = nullptr;
std::vector<std::function<void()>> g_ends;

// One more of it; false: there is no such thing.
bool one_more(std::string_view what, int number) {
  CUdevice device = 0;
  CUcontext made = nullptr;
  CUdeviceptr memory = 0;
  int value = 0;
  if (what == "calls") return cuCtxGetDevice(&device), true;
  if (what == "pushes") return cuCtxPushCurrent(g_context), true;
  if (what == "contexts") {
    cuCtxCreate(&made, nullptr, 0, 0);
    g_ends.emplace_back([made] { cuCtxDestroy(made); });
    return true;
  }
  if (what == "allocations") {
    cuMemAlloc(&memory, 256);
    g_ends.emplace_back([memory] { cuMemFree(memory); });
    return true;
  }
  if (what == "streams") {
    CUstream stream = nullptr;
    cuStreamCreate(&stream, CU_STREAM_DEFAULT);
    g_ends.emplace_back([stream] { cuStreamDestroy(stream); });
    return true;
  }
  if (what == "modules") {
    CUmodule module = nullptr;
    cuModuleLoadData(&module, ".version 7.0\n.target sm_52\n.address_size 64\n");
    g_ends.emplace_back([module] { cuModuleUnload(module); });
    return true;
  }
  if (what == "nodes") {
    CUgraphNode node = nullptr;
    cuGraphAddEmptyNode(&node, g_graph, nullptr, 0);
    g_ends.emplace_back([node] { cuGraphDestroyNode(node); });
    return true;
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
  if (cuInit(0) != CUDA_SUCCESS || cuCtxCreate(&g_context, nullptr, 0, 0) != CUDA_SUCCESS ||
      cuGraphCreate(&g_graph, 0) != CUDA_SUCCESS)
    return 1;
  std::string_view what = argc > 1 ? argv[1] : "";
  const bool freed = what.ends_with(" freed");
  if (freed) what.remove_suffix(6);
  for (int i = 0; i < count; ++i)
    if (!one_more(what, i)) return std::fprintf(stderr, "unknown: %s\n", argv[1]), 2;
  if (!freed) g_ends.clear();
  for (const auto& end : g_ends) end();
  return 0;
}

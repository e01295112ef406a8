// SPDX-License-Identifier: MIT
// The time of common driver calls, in nanoseconds, next to their time on an H200 (driver 580.159).
//
// The goal for the embedded driver is the real one. Times of different machines cannot be compared; the
// column shows what a lesson's author may expect to see. Uses only cuda.h, so that it measures the libcuda
// that the loader finds first.
#include <benchmark/benchmark.h>
#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

void check(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "driver_calls: %s\n", name != nullptr ? name : "no result");
  std::exit(1);
}

CUcontext context() {
  static const CUcontext made = [] {
    CUcontext result = nullptr;
    check(cuInit(0));
    check(cuCtxCreate(&result, nullptr, 0, 0));
    return result;
  }();
  return made;
}

void get_current(benchmark::State& state) {
  CUcontext current = context();
  for (auto _ : state) {
    cuCtxGetCurrent(&current);
    benchmark::DoNotOptimize(current);
  }
  state.SetLabel("H200: 8 to 12 ns");
}
BENCHMARK(get_current);

void push_and_pop(benchmark::State& state) {
  const CUcontext made = context();
  CUcontext popped = nullptr;
  for (auto _ : state) {
    cuCtxPushCurrent(made);
    cuCtxPopCurrent(&popped);
  }
  benchmark::DoNotOptimize(popped);
  state.SetLabel("H200: 33 to 50 ns");
}
BENCHMARK(push_and_pop);

void allocate_and_free(benchmark::State& state) {
  context();
  const auto size = static_cast<std::size_t>(state.range(0));
  for (auto _ : state) {
    CUdeviceptr address = 0;
    check(cuMemAlloc(&address, size));
    check(cuMemFree(address));
  }
  state.SetLabel(size == 1024 ? "H200: 2.0 to 3.4 us" : "H200: 65 to 101 us");
}
BENCHMARK(allocate_and_free)->Arg(1024)->Arg(16 << 20);

// With many live allocations, looking one up must not become slow.
void allocate_and_free_among_many(benchmark::State& state) {
  context();
  std::vector<CUdeviceptr> alive(static_cast<std::size_t>(state.range(0)));
  for (CUdeviceptr& address : alive) check(cuMemAlloc(&address, 1024));
  for (auto _ : state) {
    CUdeviceptr address = 0;
    check(cuMemAlloc(&address, 1024));
    check(cuMemFree(address));
  }
  for (const CUdeviceptr address : alive) check(cuMemFree(address));
}
BENCHMARK(allocate_and_free_among_many)->Arg(1000)->Arg(100000);

void pointer_attribute(benchmark::State& state) {
  context();
  CUdeviceptr address = 0;
  CUcontext owner = nullptr;
  check(cuMemAlloc(&address, 1024));
  for (auto _ : state) cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, address);
  benchmark::DoNotOptimize(owner);
  check(cuMemFree(address));
  state.SetLabel("H200: 37 to 74 ns");
}
BENCHMARK(pointer_attribute);

void four_bytes_there(benchmark::State& state) {
  context();
  CUdeviceptr address = 0;
  const int value = 7;
  check(cuMemAlloc(&address, 1024));
  for (auto _ : state) check(cuMemcpyHtoD(address, &value, sizeof value));
  check(cuMemFree(address));
  state.SetLabel("H200: 5.5 to 6.0 us");
}
BENCHMARK(four_bytes_there);

void four_bytes_back(benchmark::State& state) {
  context();
  CUdeviceptr address = 0;
  int value = 0;
  check(cuMemAlloc(&address, 1024));
  for (auto _ : state) check(cuMemcpyDtoH(&value, address, sizeof value));
  check(cuMemFree(address));
  state.SetLabel("H200: 7.3 to 8.7 us");
}
BENCHMARK(four_bytes_back);

CUfunction empty_kernel() {
  static const CUfunction made = [] {
    context();
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    check(cuModuleLoadData(
        &module, ".version 7.0\n.target sm_52\n.address_size 64\n.visible .entry empty() { ret; }\n"));
    check(cuModuleGetFunction(&function, module, "empty"));
    return function;
  }();
  return made;
}

void empty_launch_and_synchronise(benchmark::State& state) {
  const CUfunction empty = empty_kernel();
  for (auto _ : state) {
    check(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
    check(cuCtxSynchronize());
  }
  state.SetLabel("H200: 8.7 to 9.6 us");
}
BENCHMARK(empty_launch_and_synchronise)->UseRealTime();

void empty_launches_in_a_row(benchmark::State& state) {
  const CUfunction empty = empty_kernel();
  for (auto _ : state) check(cuLaunchKernel(empty, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, nullptr));
  check(cuCtxSynchronize());
  state.SetLabel("H200: 3.4 to 4.4 us");
}
BENCHMARK(empty_launches_in_a_row)->UseRealTime();

void allocate_and_free_in_order(benchmark::State& state) {
  context();
  for (auto _ : state) {
    CUdeviceptr address = 0;
    check(cuMemAllocAsync(&address, 1024, nullptr));
    check(cuMemFreeAsync(address, nullptr));
  }
  check(cuCtxSynchronize());
}
BENCHMARK(allocate_and_free_in_order);

void fill_and_synchronise(benchmark::State& state) {
  context();
  CUdeviceptr address = 0;
  check(cuMemAlloc(&address, 1024));
  for (auto _ : state) {
    check(cuMemsetD8Async(address, 1, 1024, nullptr));
    check(cuStreamSynchronize(nullptr));
  }
  check(cuMemFree(address));
}
BENCHMARK(fill_and_synchronise);

void record_and_query_event(benchmark::State& state) {
  context();
  CUevent event = nullptr;
  check(cuEventCreate(&event, CU_EVENT_DEFAULT));
  for (auto _ : state) {
    check(cuEventRecord(event, nullptr));
    check(cuEventQuery(event));
  }
  check(cuEventDestroy(event));
}
BENCHMARK(record_and_query_event);

// The time if another thread has to do the work: a host function, and waiting for it.
void host_function_and_synchronise(benchmark::State& state) {
  context();
  for (auto _ : state) {
    check(cuLaunchHostFunc(nullptr, [](void*) {}, nullptr));
    check(cuStreamSynchronize(nullptr));
  }
}
BENCHMARK(host_function_and_synchronise);

void create_and_destroy_context(benchmark::State& state) {
  context();
  for (auto _ : state) {
    CUcontext made = nullptr;
    check(cuCtxCreate(&made, nullptr, 0, 0));
    check(cuCtxDestroy(made));
  }
  state.SetLabel("H200: 165 ms");
}
// A process can make 65,536 contexts, and destroyed ones are remembered.
BENCHMARK(create_and_destroy_context)->Iterations(10000);

}  // namespace

BENCHMARK_MAIN();

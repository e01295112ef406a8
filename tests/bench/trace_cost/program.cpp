// SPDX-License-Identifier: MIT
// What trace_cost.py traces: loops of driver calls, each timed in bursts, and a SAXPY application as a whole.
//
//   bench_trace_program loops RESULT [RECORDER]   nanoseconds a round of each loop, one line each
//   bench_trace_program saxpy RESULT [RECORDER]   nanoseconds from the start of the process to its end
//   bench_trace_program clock RESULT              nanoseconds of what a record needs of the machine
//   bench_trace_program mixed RESULT              calls of many kinds, random arguments: the recording's size
//   bench_trace_program hold RESULT               uses every device until it is killed; says so
//
// The figures go into the file RESULT, because the tracing command uses standard output. RECORDER is a
// library that is loaded before the first call (the CUPTI subscriber). Bursts are shorter than a ring of the
// tracer, with a pause after each: the cost of a call is measured, not the speed of the reader.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "cuda.h"
#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kBurst = 1000;
constexpr int kBursts = 60;

const char* const kSaxpy = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .entry nothing()
{
  ret;
}
.visible .entry saxpy(.param .u64 x, .param .u64 y, .param .f32 a, .param .u32 n)
{
  .reg .pred %p;
  .reg .b32 %r<5>;
  .reg .f32 %f<4>;
  .reg .b64 %d<6>;
  ld.param.u64 %d1, [x];
  ld.param.u64 %d2, [y];
  ld.param.f32 %f1, [a];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, %ctaid.x;
  mov.u32 %r3, %ntid.x;
  mov.u32 %r4, %tid.x;
  mad.lo.s32 %r2, %r2, %r3, %r4;
  setp.ge.s32 %p, %r2, %r1;
  @%p bra done;
  cvta.to.global.u64 %d1, %d1;
  cvta.to.global.u64 %d2, %d2;
  mul.wide.s32 %d3, %r2, 4;
  add.s64 %d1, %d1, %d3;
  add.s64 %d2, %d2, %d3;
  ld.global.f32 %f2, [%d1];
  ld.global.f32 %f3, [%d2];
  fma.rn.f32 %f3, %f1, %f2, %f3;
  st.global.f32 [%d2], %f3;
done:
  ret;
}
)";

void must(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s answered %d\n", call, static_cast<int>(result));
  std::exit(1);
}
#define MUST(call) must(call, #call)

double nanoseconds(Clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

// The least of all bursts, because a disturbance only makes a burst longer.
template <class Round, class After>
void loop(std::FILE* result, const char* name, Round round, After after) {
  double best = 1e30;
  for (int burst = 0; burst < kBursts; ++burst) {
    const auto begin = Clock::now();
    for (int i = 0; i < kBurst; ++i) round();
    best = std::min(best, nanoseconds(Clock::now() - begin) / kBurst);
    after();
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
  std::fprintf(result, "%s %.2f\n", name, best);
}

CUfunction function_of(CUmodule& module, const char* name) {
  CUfunction function = nullptr;
  MUST(cuModuleGetFunction(&function, module, name));
  return function;
}

void loops(std::FILE* result) {
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  MUST(cuInit(0));
  MUST(cuDeviceGet(&device, 0));
  MUST(cuDevicePrimaryCtxRetain(&context, device));
  MUST(cuCtxSetCurrent(context));
  MUST(cuModuleLoadData(&module, kSaxpy));
  CUfunction nothing = function_of(module, "nothing");
  const auto no_pause = [] {};
  loop(
      result, "get_current",
      [] {
        CUcontext current = nullptr;
        cuCtxGetCurrent(&current);
      },
      no_pause);
  loop(
      result, "push_pop",
      [context] {
        CUcontext popped = nullptr;
        cuCtxPushCurrent(context);
        cuCtxPopCurrent(&popped);
      },
      no_pause);
  // Else each round gets a block of memory from the system and gives it back, which is what would be
  // measured.
  CUdeviceptr block = 0;
  MUST(cuMemAlloc(&block, 1024));
  loop(
      result, "alloc_free",
      [] {
        CUdeviceptr memory = 0;
        cuMemAlloc(&memory, 1024);
        cuMemFree(memory);
      },
      no_pause);
  loop(
      result, "launch",
      [nothing] { cuLaunchKernel(nothing, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr); },
      [] { cuCtxSynchronize(); });
  MUST(cuMemFree(block));
  MUST(cuModuleUnload(module));
  MUST(cuDevicePrimaryCtxRelease(device));
}

// Two readings of the clock are in every record; with a second thread, a fence before the later one.
void clock([[maybe_unused]] std::FILE* result) {
#if defined(__x86_64__)
  static std::atomic<std::uint64_t> words[9];
  const auto keep = [](int from, int to, std::uint64_t value) {
    for (int i = from; i < to; ++i) words[i].store(value, std::memory_order_relaxed);
  };
  const auto no_pause = [] {};
  const auto two_readings = [keep] { keep(0, 1, __rdtsc()), keep(1, 2, __rdtsc()); };
  const auto one_fenced = [keep] {
    keep(0, 1, __rdtsc());
    _mm_lfence();
    keep(1, 2, __rdtsc());
  };
  const auto with_stores = [keep] {
    keep(0, 1, __rdtsc());
    keep(2, 9, 7);
    keep(1, 2, __rdtsc());
  };
  loop(result, "two_readings", two_readings, no_pause);
  loop(result, "two_readings_one_fenced", one_fenced, no_pause);
  loop(result, "two_readings_and_seven_stores", with_stores, no_pause);
#endif
}

// Nothing repeats as it does in a loop: sizes, addresses, which call comes next.
void mixed(std::FILE* result) {
  constexpr int kCalls = 100'000;
  CUdevice device = 0;
  CUcontext context = nullptr;
  MUST(cuInit(0));
  MUST(cuDeviceGet(&device, 0));
  MUST(cuDevicePrimaryCtxRetain(&context, device));
  MUST(cuCtxSetCurrent(context));
  std::mt19937_64 random(7);
  std::vector<std::pair<CUdeviceptr, std::size_t>> memory;
  std::vector<unsigned char> host(1 << 16);
  for (int i = 0; i < kCalls; ++i) {
    const std::uint64_t choice = random() % 8;
    const std::size_t which = memory.empty() ? 0 : random() % memory.size();
    if (memory.size() < 16 || choice == 0) {
      CUdeviceptr at = 0;
      const std::size_t bytes = 64 + random() % host.size();
      MUST(cuMemAlloc(&at, bytes));
      memory.emplace_back(at, bytes);
    } else if (choice == 1) {
      MUST(cuMemFree(memory[which].first));
      memory.erase(memory.begin() + static_cast<std::ptrdiff_t>(which));
    } else if (choice == 2) {
      MUST(cuMemsetD8(memory[which].first, static_cast<unsigned char>(random()), random() % 64));
    } else if (choice == 3) {
      CUcontext owner = nullptr;
      MUST(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, memory[which].first + random() % 64));
    } else if (choice == 4) {
      CUcontext popped = nullptr;
      MUST(cuCtxPushCurrent(context));
      MUST(cuCtxPopCurrent(&popped));
    } else if (choice == 5) {
      std::size_t free_bytes = 0, total = 0;
      MUST(cuMemGetInfo(&free_bytes, &total));
    } else {
      const std::size_t bytes = 1 + random() % memory[which].second;
      MUST(choice == 6 ? cuMemsetD8Async(memory[which].first, 1, bytes, nullptr)
                       : cuMemGetAddressRange(nullptr, nullptr, memory[which].first + bytes - 1));
    }
  }
  std::fprintf(result, "mixed %d\n", kCalls);
}

// A small application as students write it: allocate, fill, copy, launch many times, copy back, check.
// Its parts one by one, too: waking the driver and making a context take most of the time, and vary.
int saxpy(std::FILE* result, Clock::time_point begin) {
  constexpr std::size_t kCount = std::size_t{1} << 24;
  constexpr int kLaunches = 400;
  CUdevice device = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  CUdeviceptr x = 0, y = 0;
  Clock::time_point last = begin;
  const auto part = [&](const char* name) {
    const Clock::time_point now = Clock::now();
    std::fprintf(result, "%s %.1f\n", name, nanoseconds(now - std::exchange(last, now)));
  };
  part("start");
  std::vector<float> host_x(kCount, 1.0f), host_y(kCount, 2.0f);
  part("host");
  MUST(cuInit(0));
  part("init");
  MUST(cuDeviceGet(&device, 0));
  MUST(cuDevicePrimaryCtxRetain(&context, device));
  MUST(cuCtxSetCurrent(context));
  part("context");
  MUST(cuModuleLoadData(&module, kSaxpy));
  CUfunction function = function_of(module, "saxpy");
  MUST(cuMemAlloc(&x, kCount * 4));
  MUST(cuMemAlloc(&y, kCount * 4));
  MUST(cuMemcpyHtoD(x, host_x.data(), kCount * 4));
  MUST(cuMemcpyHtoD(y, host_y.data(), kCount * 4));
  float a = 0.5f;
  unsigned n = kCount;
  void* parameters[] = {&x, &y, &a, &n};
  for (int i = 0; i < kLaunches; ++i)
    MUST(cuLaunchKernel(function, kCount / 256, 1, 1, 256, 1, 1, 0, nullptr, parameters, nullptr));
  MUST(cuMemcpyDtoH(host_y.data(), y, kCount * 4));
  MUST(cuMemFree(x));
  MUST(cuMemFree(y));
  MUST(cuModuleUnload(module));
  part("work");
  MUST(cuDevicePrimaryCtxRelease(device));
  part("release");
  const auto right = std::count(host_y.begin(), host_y.end(), 2.0f + 0.5f * kLaunches);
  std::fprintf(result, "saxpy %.1f\n", nanoseconds(Clock::now() - begin));
  return right == static_cast<std::ptrdiff_t>(kCount) ? 0 : 1;
}

// A device that is not used goes to sleep, and the next cuInit wakes it: that takes about a third of a
// second, depending on how long ago the last program ended.
[[noreturn]] void hold(std::FILE* result) {
  int devices = 0;
  MUST(cuInit(0));
  MUST(cuDeviceGetCount(&devices));
  for (CUdevice device = 0; device < devices; ++device) {
    CUcontext context = nullptr;
    MUST(cuDevicePrimaryCtxRetain(&context, device));
  }
  std::fprintf(result, "held %d\n", devices);
  std::fflush(result);
  for (;;) pause();
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 64;
  // From before anything is loaded: a driver is loaded before main, but behind a tracer at the first call.
  const char* const begun = std::getenv("BENCH_TRACE_BEGIN");
  if (begun == nullptr && std::strcmp(arguments[1], "saxpy") == 0) {
    setenv("BENCH_TRACE_BEGIN", std::to_string(Clock::now().time_since_epoch().count()).c_str(), 1);
    execv("/proc/self/exe", arguments);
    return 2;
  }
  const Clock::time_point begin{Clock::duration{begun != nullptr ? std::atoll(begun) : 0}};
  std::FILE* result = std::fopen(arguments[2], "w");
  if (result == nullptr) return 2;
  if (count > 3 && dlopen(arguments[3], RTLD_NOW | RTLD_GLOBAL) == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 3;
  }
  int status = 0;
  if (std::strcmp(arguments[1], "loops") == 0) {
    loops(result);
  } else if (std::strcmp(arguments[1], "clock") == 0) {
    clock(result);
  } else if (std::strcmp(arguments[1], "mixed") == 0) {
    mixed(result);
  } else if (std::strcmp(arguments[1], "hold") == 0) {
    hold(result);
  } else {
    status = saxpy(result, begin);
  }
  std::fclose(result);
  return status;
}

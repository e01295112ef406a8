// SPDX-License-Identifier: MIT
// What recording adds to a driver call, compared with a library that only forwards it; both in one process,
// alternately.
//
// This program is reader and traced program in one file: it starts itself as the program. Batches are shorter
// than a ring, so the figures are the tracer's own; `sustained` shows what a loop without a pause pays when
// the reader has to keep up on the same machine.
#include <dlfcn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "trace/live.hpp"

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kBatches = 400;

double nanoseconds(Clock::duration d) {
  return std::chrono::duration<double, std::nano>(d).count();
}

double median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2),
                   values.end());
  return values[values.size() / 2];
}

template <class Call, class Work>
double batch(Call call, Work work, int calls) {
  const auto start = Clock::now();
  for (int i = 0; i < calls; ++i) {
    call();
    work();
  }
  return nanoseconds(Clock::now() - start) / calls;
}

template <class Direct, class Bare, class Traced, class Work>
void compare(const char* name, Direct direct, Bare bare, Traced traced, Work work, int calls) {
  std::vector<double> directs, bares, traces;
  for (int i = 0; i < kBatches; ++i) {
    batch(direct, work, calls);  // to wake up
    directs.push_back(batch(direct, work, calls));
    bares.push_back(batch(bare, work, calls));
    traces.push_back(batch(traced, work, calls));
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the reader empties the ring
  }
  const double d = median(directs), b = median(bares), t = median(traces);
  std::printf("%-25s direct %6.1f ns   bare forward %6.1f ns   recorded %6.1f ns   record cost %6.1f ns\n",
              name, d, b, t, t - b);
}

constexpr auto kNothing = [] {};

#if defined(__x86_64__)
// What a program does between its calls, as far as it affects a recorder: it executes more code, and reads
// more memory, than the first caches can keep.
extern "C" void driverlab_much_code();
asm(R"(
  .text
  .p2align 6
driverlab_much_code:
  .rept 1024
  jmp 1f
  .p2align 6
1:
  .endr
  ret
)");
void other_work() {
  static unsigned char memory[96 << 10];
  driverlab_much_code();
  unsigned char sum = 0;
  for (std::size_t i = 0; i < sizeof memory; i += 64) sum = static_cast<unsigned char>(sum + memory[i]++);
  asm volatile("" : : "r"(sum));
}
#endif

template <class Function>
Function* find(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) std::exit(3);
  return reinterpret_cast<Function*>(found);
}

int measure() {
  void* driver = dlopen(std::getenv("DRIVERLAB_BACKEND"), RTLD_NOW);
  void* bare = dlopen(BARE_FORWARD, RTLD_NOW);
  void* tracer = dlopen("libcuda.so.1", RTLD_NOW);
  if (driver == nullptr || bare == nullptr || tracer == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 2;
  }
  int device = 0;
  std::size_t a = 0, b = 0;
  const auto one = [&](void* library) {
    return [function = find<int(int*)>(library, "cuCtxGetDevice"), &device] { function(&device); };
  };
  const auto two = [&](void* library) {
    return [function = find<int(std::size_t*, std::size_t*)>(library, "cuMemGetInfo_v2"), &a, &b] {
      function(&a, &b);
    };
  };
  const auto set = [&](void* library) {
    return [function = find<int(std::uint64_t)>(library, "cuCtxSetCurrent")] { function(0); };
  };
  const auto compare_all = [&](const std::string& where, auto work, int calls) {
    compare(("cuCtxGetDevice" + where).c_str(), one(driver), one(bare), one(tracer), work, calls);
    compare(("cuMemGetInfo" + where).c_str(), two(driver), two(bare), two(tracer), work, calls);
    compare(("cuCtxSetCurrent" + where).c_str(), set(driver), set(bare), set(tracer), work, calls);
  };
  compare_all("", kNothing, 2000);
#if defined(__x86_64__)
  compare_all(" amid work", other_work, 200);
#endif
  const auto start = Clock::now();
  constexpr int calls = 1'000'000;
  const auto call = one(tracer);
  for (int i = 0; i < calls; ++i) call();
  std::printf("%-25s %6.1f ns a call over %d calls without a pause\n", "sustained",
              nanoseconds(Clock::now() - start) / calls, calls);
  return 0;
}

}  // namespace

int main(int count, char** arguments) {
  if (count > 1) return measure();
  trace::Live::Options options;
  options.tracer = TRACER_FOLDER;
  options.backend = BENCH_DRIVER;
  options.mark_output = false;
  std::string error;
  auto live = trace::Live::create(options, &error);
  if (live == nullptr) {
    std::fprintf(stderr, "%s\n", error.c_str());
    return 1;
  }
  const pid_t child = fork();
  if (child == 0) {
    for (const auto& [name, value] : live->environment()) setenv(name.c_str(), value.c_str(), 1);
    execl("/proc/self/exe", arguments[0], "measure", nullptr);
    _exit(127);
  }
  trace::Store store;
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    if (live->poll(store) == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  live->finish(store);
  std::printf("%-25s %zu events, %.1f bytes each in the store\n", "kept", store.size(),
              static_cast<double>(store.bytes()) / static_cast<double>(store.size()));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

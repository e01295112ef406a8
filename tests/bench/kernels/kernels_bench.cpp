// SPDX-License-Identifier: MIT
// Kernels with the driver, as loops of C++ on as many threads, and with OpenCL, in one run, as ratios.
//
//   bench_kernels [--only WORD] [PTX]    only what has WORD in its name
//
// Rounds alternate between the three and the least time counts, so that other work on the machine disturbs
// all of them alike. Work whose data should be in a cache runs several times in a row in each round:
// otherwise one would replace the other's data, and find the threads of the other still awake. Uses only
// cuda.h for the driver.
#include <cuda.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "native.hpp"
#ifdef BENCH_OPENCL
#include "opencl.hpp"
#endif

namespace {

void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::fprintf(stderr, "bench_kernels: %s: %s\n", what, name != nullptr ? name : "no result");
  std::exit(1);
}
#define CHECK(call) check(call, #call)

using Work = std::function<void()>;

double milliseconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

// The least time of each, in turns of so many in a row.
std::vector<double> race(const std::vector<Work>& works, int rounds, int in_a_row = 1) {
  std::vector<double> best(works.size(), 1e300);
  for (int round = 0; round <= rounds; ++round)
    for (std::size_t i = 0; i < works.size(); ++i) {
      for (int turn = 0; turn < in_a_row; ++turn) {
        const double time = works[i] ? milliseconds(works[i]) : 0;
        if (round > 0) best[i] = std::min(best[i], time);  // the first one compiles
      }
    }
  return best;
}

void report(const char* name, const std::vector<double>& times) {
  std::printf("%-24s %9.3f ms  native %9.3f (ratio %5.2f)", name, times[0], times[1], times[0] / times[1]);
  if (times.size() > 2 && times[2] > 0)
    std::printf("  OpenCL %9.3f (ratio %5.2f)", times[2], times[0] / times[2]);
  std::printf("\n");
}

class Driver {
 public:
  explicit Driver(const std::string& ptx) {
    CHECK(cuInit(0));
    CHECK(cuDevicePrimaryCtxRetain(&context_, 0));
    CHECK(cuCtxSetCurrent(context_));
    CHECK(cuModuleLoadData(&module_, ptx.c_str()));
  }
  CUdeviceptr copy(const std::vector<float>& data) {
    CUdeviceptr made = 0;
    CHECK(cuMemAlloc(&made, data.size() * sizeof(float)));
    CHECK(cuMemcpyHtoD(made, data.data(), data.size() * sizeof(float)));
    return made;
  }
  std::vector<float> read(CUdeviceptr from, std::size_t count) {
    std::vector<float> data(count);
    CHECK(cuMemcpyDtoH(data.data(), from, count * sizeof(float)));
    return data;
  }
  template <class... Arguments>
  void launch(const char* name, unsigned gx, unsigned gy, unsigned bx, unsigned by, Arguments... arguments) {
    CUfunction function = nullptr;
    CHECK(cuModuleGetFunction(&function, module_, name));
    void* list[] = {&arguments...};
    CHECK(cuLaunchKernel(function, gx, gy, 1, bx, by, 1, 0, nullptr, list, nullptr));
    CHECK(cuCtxSynchronize());
  }

 private:
  CUcontext context_ = nullptr;
  CUmodule module_ = nullptr;
};

std::vector<float> numbers(std::size_t count) {
  std::vector<float> data(count);
  for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<float>(i * 7 % 32) / 32 - 0.5F;
  return data;
}

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "bench_kernels: %s is wrong\n", what);
  std::exit(1);
}

struct Others {
#ifdef BENCH_OPENCL
  std::unique_ptr<opencl::Device> device = opencl::device();
#endif
};

void race_saxpy(Driver& driver, [[maybe_unused]] Others& others, const char* name, int n, int rounds,
                int in_a_row) {
  std::vector<float> x = numbers(static_cast<std::size_t>(n)), y = x, z = x, v = x;
  const CUdeviceptr dx = driver.copy(x), dy = driver.copy(y);
  const unsigned blocks = static_cast<unsigned>(n + 255) / 256;
  std::vector<Work> works{[&] { driver.launch("saxpy", blocks, 1, 256, 1, n, 0.5F, dx, dy); },
                          [&] { native::saxpy(n, 0.5F, x.data(), y.data()); }};
#ifdef BENCH_OPENCL
  if (others.device) works.push_back(others.device->saxpy(n, 0.5F, z.data(), v.data()));
#endif
  report(name, race(works, rounds, in_a_row));
  require(driver.read(dy, y.size()) == y, name);
}

void race_matmul(Driver& driver, [[maybe_unused]] Others& others) {
  const int n = 1024;
  std::vector<float> a = numbers(std::size_t{n} * n), b = a, c(a.size()), d(a.size());
  const CUdeviceptr da = driver.copy(a), db = driver.copy(b), dc = driver.copy(c);
  std::vector<Work> works{[&] { driver.launch("matmul", n / 16, n / 16, 16, 16, da, db, dc, n); },
                          [&] { native::matmul(a.data(), b.data(), c.data(), n); }};
#ifdef BENCH_OPENCL
  if (others.device) works.push_back(others.device->matmul(a.data(), b.data(), d.data(), n));
#endif
  report("tiled matmul 1024", race(works, 5));
  const std::vector<float> got = driver.read(dc, c.size());
  for (std::size_t i = 0; i < c.size(); ++i) require(std::fabs(got[i] - c[i]) < 1e-2F, "matmul");
}

void race_reduce(Driver& driver, [[maybe_unused]] Others& others, const char* kernel, const char* name) {
  const int n = 1 << 22;
  std::vector<float> in = numbers(std::size_t{n}), out(static_cast<std::size_t>(n) / 256), parts = out;
  for (float& each : in) each += 0.5F;
  const CUdeviceptr din = driver.copy(in), dout = driver.copy(out);
  float total = 0;
  std::vector<Work> works{[&] { driver.launch(kernel, n / 256, 1, 256, 1, din, dout, n); },
                          [&] { total = native::sum(in.data(), n); }};
#ifdef BENCH_OPENCL
  if (others.device) works.push_back(others.device->reduce(in.data(), parts.data(), n));
#endif
  report(name, race(works, 15));
  double sum = 0;
  for (const float part : driver.read(dout, out.size())) sum += static_cast<double>(part);
  require(std::fabs(sum - static_cast<double>(total)) < 1e-3 * sum, name);
}

}  // namespace

int main(int count, char** words) {
  std::string only, path = BENCH_PTX;
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (word == "--only" && i + 1 < count)
      only = words[++i];
    else
      path = word;
  }
  std::ifstream file(path);
  const std::string ptx((std::istreambuf_iterator<char>(file)), {});
  if (ptx.empty()) {
    std::fprintf(stderr, "bench_kernels: no PTX in %s\n", path.c_str());
    return 2;
  }
  Driver driver(ptx);
  Others others;
  std::printf("%u threads", native::threads());
#ifdef BENCH_OPENCL
  std::printf("; OpenCL: %s", others.device ? others.device->name().c_str() : "no device");
#endif
  std::printf("\n");
  const std::vector<std::pair<const char*, std::function<void(const char*)>>> races = {
      {"SAXPY 16,777,216", [&](const char* name) { race_saxpy(driver, others, name, 1 << 24, 15, 1); }},
      {"SAXPY 131,072 in cache",
       [&](const char* name) { race_saxpy(driver, others, name, 1 << 17, 40, 20); }},
      {"SAXPY 131,072 in turns",
       [&](const char* name) { race_saxpy(driver, others, name, 1 << 17, 400, 1); }},
      {"tiled matmul 1024", [&](const char*) { race_matmul(driver, others); }},
      {"reduction of 4M", [&](const char* name) { race_reduce(driver, others, "reduce", name); }},
      {"the same with shuffles",
       [&](const char* name) { race_reduce(driver, others, "reduce_warp", name); }}};
  for (const auto& [name, race_it] : races)
    if (std::string(name).find(only) != std::string::npos) race_it(name);
  return 0;
}

// SPDX-License-Identifier: MIT
// The corpus of kernels: cases that run kernels with the driver API and compare the results with those that
// the host computes.
//
// A case is a function that registers itself. Runs on any driver, the embedded one or a GPU's, and with any
// PTX of the same sources. Does not depend on the compiler.
#pragma once
#include <cuda.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace corpus {

struct Shape {
  unsigned x = 1, y = 1, z = 1;
  unsigned size() const { return x * y * z; }
};

// An unexpected error of a call, or a wrong result.
struct Wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};
void check(CUresult result, const char* call);
[[noreturn]] void wrong(const std::string& what);

// Memory on the device with a copy on the host.
template <class T>
class Buffer {
 public:
  explicit Buffer(std::vector<T> values) : values_(std::move(values)) {
    check(cuMemAlloc(&address_, bytes() == 0 ? 1 : bytes()), "cuMemAlloc");
    check(cuMemcpyHtoD(address_, values_.data(), bytes()), "cuMemcpyHtoD");
  }
  explicit Buffer(std::size_t count, T value = T()) : Buffer(std::vector<T>(count, value)) {}
  ~Buffer() { cuMemFree(address_); }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  CUdeviceptr address() const { return address_; }
  const std::vector<T>& host() const { return values_; }
  std::vector<T> read() const {
    std::vector<T> now(values_.size());
    check(cuMemcpyDtoH(now.data(), address_, bytes()), "cuMemcpyDtoH");
    return now;
  }

 private:
  std::size_t bytes() const { return values_.size() * sizeof(T); }
  std::vector<T> values_;
  CUdeviceptr address_ = 0;
};

// Kernels of one file, loaded when the first is asked for.
class Gpu {
 public:
  explicit Gpu(std::string folder) : folder_(std::move(folder)) {}
  void use(const std::string& file) { file_ = file; }
  CUfunction function(const std::string& kernel);
  CUdeviceptr global(const std::string& name, std::size_t expected_size);

  template <class... T>
  void launch(const std::string& kernel, Shape grid, Shape block, unsigned shared, const T&... arguments) {
    run(kernel, grid, block, shared, false, {pack(arguments)...});
  }
  template <class... T>
  void launch_in_clusters(const std::string& kernel, unsigned grid, unsigned block, unsigned cluster,
                          const T&... arguments) {
    run_in_clusters(kernel, grid, block, cluster, {pack(arguments)...});
  }
  template <class... T>
  void launch_together(const std::string& kernel, Shape grid, Shape block, const T&... arguments) {
    run(kernel, grid, block, 0, true, {pack(arguments)...});
  }

 private:
  template <class T>
  static std::vector<std::byte> pack(const T& value) {
    std::vector<std::byte> bytes(sizeof(T));
    std::memcpy(bytes.data(), &value, sizeof(T));
    return bytes;
  }
  template <class T>
  static std::vector<std::byte> pack(const Buffer<T>& buffer) {
    return pack(buffer.address());
  }
  void run(const std::string& kernel, Shape grid, Shape block, unsigned shared, bool together,
           std::vector<std::vector<std::byte>> arguments);
  void run_in_clusters(const std::string& kernel, unsigned grid, unsigned block, unsigned cluster,
                       std::vector<std::vector<std::byte>> arguments);
  CUmodule module();

  std::string folder_, file_;
  std::vector<std::pair<std::string, CUmodule>> modules_;
};

// Fatal cases break their context and run in a separate process; `answer` is the error that synchronising
// must return.
struct Case {
  std::string file, name;
  std::function<void(Gpu&)> run;
  CUresult answer = CUDA_SUCCESS;
  bool in_clusters = false;  // for devices that have clusters
};
std::vector<Case>& cases();
struct InClusters {};
struct Register {
  Register(const char* file, const char* name, InClusters, std::function<void(Gpu&)> run);
  Register(const char* file, const char* name, std::function<void(Gpu&)> run, CUresult answer = CUDA_SUCCESS);
};

// The same numbers everywhere, without an order that could make a wrong kernel pass.
std::uint32_t scattered(std::uint32_t i);
inline int small_number(std::uint32_t i) {
  return static_cast<int>(scattered(i) % 100);
}
inline double real_number(std::uint32_t i, double from, double to) {
  return from + (to - from) * scattered(i) / 4294967296.0;
}
template <class T, class F>
std::vector<T> made(std::size_t count, F f) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(f(static_cast<std::uint32_t>(i)));
  return values;
}

std::string shown(double value);
std::string shown(long long value);
template <class T>
std::string shown_any(const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return shown(static_cast<double>(value));
  else
    return shown(static_cast<long long>(value));
}

// Exactly equal, bit by bit except that all not-a-numbers are one.
template <class T>
void same(const std::vector<T>& got, const std::vector<T>& expected, const std::string& what) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    if (!(got[i] == expected[i]) && !(got[i] != got[i] && expected[i] != expected[i]))
      wrong(what + "[" + std::to_string(i) + "] is " + shown_any(got[i]) + ", expected " +
            shown_any(expected[i]));
}
// Within so many units in the last place of T, of what is expected in more precision.
double units_apart(float got, long double expected);
double units_apart(double got, long double expected);

}  // namespace corpus

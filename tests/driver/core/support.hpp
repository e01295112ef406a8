// SPDX-License-Identifier: MIT
// What the driver's tests share: a fixture that starts with an initialised driver and an empty stack, and
// words for results. Uses cuda.h only, so that the same tests run on a real GPU (put its libcuda on
// LD_LIBRARY_PATH).
#pragma once

#include <cuda.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

inline std::string result_name(CUresult result) {
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  return name != nullptr ? name : "no result: " + std::to_string(static_cast<int>(result));
}

// EXPECT_EQ on results prints names, not numbers.
#define EXPECT_RESULT(expected, call) EXPECT_EQ(result_name(expected), result_name(call)) << #call
#define ASSERT_OK(call) ASSERT_EQ("CUDA_SUCCESS", result_name(call)) << #call
#define EXPECT_OK(call) EXPECT_RESULT(CUDA_SUCCESS, call)

// A number that no enumerator has: what a program in C may well pass.
template <typename Enumeration>
Enumeration made_up(int number) {
  Enumeration value{};
  static_assert(sizeof value == sizeof number);
  std::memcpy(&value, &number, sizeof value);
  return value;
}

// A program with an initialised driver of its own, for tests in whose process none is: its status, or the
// signal that ended it, negative.
inline int status_in_child(const std::function<int()>& program) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(120);
    _exit(cuInit(0) == CUDA_SUCCESS ? program() : 99);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

class DriverTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_OK(cuInit(0));
    ASSERT_EQ(nullptr, current()) << "a test left a context behind";
  }

  void TearDown() override {
    while (cuCtxPopCurrent(nullptr) == CUDA_SUCCESS) {
    }
    for (const CUcontext context : made_) cuCtxDestroy(context);
    for (int device = 0; device < device_count(); ++device) cuDevicePrimaryCtxReset(device);
  }

  static int device_count() {
    int count = 0;
    cuDeviceGetCount(&count);
    return count;
  }

  static CUcontext current() {
    CUcontext context = nullptr;
    EXPECT_OK(cuCtxGetCurrent(&context));
    return context;
  }

  // Current afterwards; destroyed after the test if it still lives.
  CUcontext make_context(CUdevice device = 0, unsigned flags = 0) {
    CUcontext context = nullptr;
    EXPECT_OK(cuCtxCreate(&context, nullptr, flags, device));
    made_.push_back(context);
    return context;
  }

  void destroy(CUcontext context) {
    EXPECT_OK(cuCtxDestroy(context));
    std::erase(made_, context);
  }

  static CUdeviceptr allocate(std::size_t size) {
    CUdeviceptr address = 0;
    EXPECT_OK(cuMemAlloc(&address, size));
    return address;
  }

  static std::vector<unsigned char> read(CUdeviceptr address, std::size_t size) {
    std::vector<unsigned char> bytes(size);
    EXPECT_OK(cuMemcpyDtoH(bytes.data(), address, size));
    return bytes;
  }

 private:
  std::vector<CUcontext> made_;
};

// The embedded driver says so in its devices' names. Asked in a child where this process has not initialised
// yet, so that asking leaves no trace.
inline bool on_embedded_driver() {
  const auto named_embedded = [] {
    char name[64] = "";
    cuInit(0);
    cuDeviceGetName(name, sizeof name, 0);
    return std::strncmp(name, "Embedded GPU", 12) == 0;
  };
  int count = 0;
  if (cuDeviceGetCount(&count) == CUDA_SUCCESS) return named_embedded();
  const pid_t child = fork();
  if (child == 0) _exit(named_embedded() ? 0 : 1);
  int status = 1;
  waitpid(child, &status, 0);
  return status == 0;
}

// Some tests need what a real driver must not be asked to do.
#define ONLY_ON_THE_EMBEDDED_DRIVER() \
  if (!on_embedded_driver()) GTEST_SKIP() << "the real driver crashes here, or has no such limit"

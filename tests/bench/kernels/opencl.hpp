// SPDX-License-Identifier: MIT
// The same kernels in OpenCL C, on the first device there is; PoCL on a machine without a GPU.
#pragma once
#include <functional>
#include <memory>
#include <string>

namespace opencl {

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string name() const = 0;
  virtual std::function<void()> saxpy(int n, float a, float* x, float* y) = 0;
  virtual std::function<void()> matmul(float* a, float* b, float* c, int n) = 0;
  virtual std::function<void()> reduce(float* in, float* out, int n) = 0;
};

// Null where there is none.
std::unique_ptr<Device> device();

}  // namespace opencl

// SPDX-License-Identifier: MIT
// Buffers use the host's memory, so that nothing is copied.
#define CL_TARGET_OPENCL_VERSION 120
#include "opencl.hpp"

#include <CL/cl.h>

#include <cstdio>

namespace opencl {
namespace {

constexpr const char* source = R"(
__kernel void saxpy(int n, float a, __global const float* x, __global float* y) {
  int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}
__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float as[16][16];
  __local float bs[16][16];
  int x = get_local_id(0), y = get_local_id(1);
  int row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0;
  for (int t = 0; t < n / 16; ++t) {
    as[y][x] = a[row * n + t * 16 + x];
    bs[y][x] = b[(t * 16 + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += as[y][k] * bs[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
__kernel void reduce(__global const float* in, __global float* out, int n) {
  __local float part[256];
  int l = get_local_id(0), i = get_global_id(0);
  part[l] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int half_ = get_local_size(0) / 2; half_ > 0; half_ /= 2) {
    if (l < half_) part[l] += part[l + half_];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0) out[get_group_id(0)] = part[0];
}
)";

class Found : public Device {
 public:
  Found(cl_device_id device, cl_context context) : context_(context) {
    char text[256] = {};
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof text, text, nullptr);
    name_ = text;
    clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof text, text, nullptr);
    name_ += std::string(", driver ") + text;
    queue_ = clCreateCommandQueue(context, device, 0, nullptr);
    const char* text_of_all = source;
    program_ = clCreateProgramWithSource(context, 1, &text_of_all, nullptr, nullptr);
    ok_ = clBuildProgram(program_, 1, &device, "", nullptr, nullptr) == CL_SUCCESS;
  }
  bool ok() const { return ok_; }
  std::string name() const override { return name_; }

  std::function<void()> saxpy(int n, float a, float* x, float* y) override {
    cl_kernel kernel = clCreateKernel(program_, "saxpy", nullptr);
    cl_mem bx = over(x, n), by = over(y, n);
    clSetKernelArg(kernel, 0, sizeof n, &n);
    clSetKernelArg(kernel, 1, sizeof a, &a);
    clSetKernelArg(kernel, 2, sizeof bx, &bx);
    clSetKernelArg(kernel, 3, sizeof by, &by);
    return [this, kernel, n] { run(kernel, 1, {static_cast<std::size_t>(n), 1}, {256, 1}); };
  }
  std::function<void()> matmul(float* a, float* b, float* c, int n) override {
    cl_kernel kernel = clCreateKernel(program_, "matmul", nullptr);
    cl_mem buffers[] = {over(a, n * n), over(b, n * n), over(c, n * n)};
    for (cl_uint i = 0; i < 3; ++i) clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]);
    clSetKernelArg(kernel, 3, sizeof n, &n);
    const auto size = static_cast<std::size_t>(n);
    return [this, kernel, size] { run(kernel, 2, {size, size}, {16, 16}); };
  }
  std::function<void()> reduce(float* in, float* out, int n) override {
    cl_kernel kernel = clCreateKernel(program_, "reduce", nullptr);
    cl_mem from = over(in, n), to = over(out, n / 256);
    clSetKernelArg(kernel, 0, sizeof from, &from);
    clSetKernelArg(kernel, 1, sizeof to, &to);
    clSetKernelArg(kernel, 2, sizeof n, &n);
    return [this, kernel, n] { run(kernel, 1, {static_cast<std::size_t>(n), 1}, {256, 1}); };
  }

 private:
  struct Size {
    std::size_t x, y;
  };
  cl_mem over(float* data, int count) {
    return clCreateBuffer(context_, CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE,
                          static_cast<std::size_t>(count) * sizeof(float), data, nullptr);
  }
  void run(cl_kernel kernel, cl_uint dimensions, Size all, Size group) {
    const std::size_t global[] = {all.x, all.y}, local[] = {group.x, group.y};
    if (clEnqueueNDRangeKernel(queue_, kernel, dimensions, nullptr, global, local, 0, nullptr, nullptr) != 0)
      std::fputs("an OpenCL kernel was not taken\n", stderr);
    clFinish(queue_);
  }

  cl_context context_;
  cl_command_queue queue_ = nullptr;
  cl_program program_ = nullptr;
  std::string name_;
  bool ok_ = false;
};

}  // namespace

std::unique_ptr<Device> device() {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  if (clGetPlatformIDs(1, &platform, nullptr) != CL_SUCCESS) return nullptr;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr) != CL_SUCCESS) return nullptr;
  cl_context context = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
  if (context == nullptr) return nullptr;
  auto found = std::make_unique<Found>(device, context);
  return found->ok() ? std::move(found) : nullptr;
}

}  // namespace opencl

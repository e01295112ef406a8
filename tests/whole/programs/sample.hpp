// What the programs in this folder share: a check of each call, a device, and kernels compiled at run time.
//
// They are ordinary programs for the driver API and NVRTC: the same source runs on any driver and prints the
// same.
#pragma once

#include <cuda.h>
#include <nvrtc.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#define CHECK(call) sample::check((call), #call, __LINE__)

namespace sample {

inline void check(CUresult result, const char* call, int line) {
  if (result == CUDA_SUCCESS) return;
  const char* name = nullptr;
  cuGetErrorName(result, &name);
  std::printf("line %d: %s: %s\n", line, call, name == nullptr ? "?" : name);
  std::exit(1);
}

inline void check(nvrtcResult result, const char* call, int line) {
  if (result == NVRTC_SUCCESS) return;
  std::printf("line %d: %s: %s\n", line, call, nvrtcGetErrorString(result));
  std::exit(1);
}

// A device and its primary context, current while this lives.
class Device {
 public:
  explicit Device(int ordinal = 0) {
    CHECK(cuInit(0));
    CHECK(cuDeviceGet(&device_, ordinal));
    CHECK(cuDevicePrimaryCtxRetain(&context_, device_));
    CHECK(cuCtxSetCurrent(context_));
  }
  ~Device() { cuDevicePrimaryCtxRelease(device_); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  CUdevice device() const { return device_; }
  CUcontext context() const { return context_; }

 private:
  CUdevice device_ = 0;
  CUcontext context_ = nullptr;
};

inline std::string compile(const char* source) {
  nvrtcProgram program = nullptr;
  CHECK(nvrtcCreateProgram(&program, source, "sample.cu", 0, nullptr, nullptr));
  const char* const options[] = {"--gpu-architecture=compute_75"};
  const nvrtcResult result = nvrtcCompileProgram(program, 1, options);
  if (result != NVRTC_SUCCESS) {
    std::size_t size = 0;
    CHECK(nvrtcGetProgramLogSize(program, &size));
    std::string log(size, '\0');
    CHECK(nvrtcGetProgramLog(program, log.data()));
    std::printf("%s\n", log.c_str());
    std::exit(1);
  }
  std::size_t size = 0;
  CHECK(nvrtcGetPTXSize(program, &size));
  std::string ptx(size, '\0');
  CHECK(nvrtcGetPTX(program, ptx.data()));
  CHECK(nvrtcDestroyProgram(&program));
  return ptx;
}

inline CUmodule load(const char* source) {
  CUmodule module = nullptr;
  CHECK(cuModuleLoadData(&module, compile(source).c_str()));
  return module;
}

inline CUfunction kernel(CUmodule module, const char* name) {
  CUfunction function = nullptr;
  CHECK(cuModuleGetFunction(&function, module, name));
  return function;
}

// Device memory for values of one type.
template <typename T>
class Values {
 public:
  explicit Values(std::size_t count) : count_(count) {
    CHECK(cuMemAlloc(&address_, count * sizeof(T)));
    CHECK(cuMemsetD8(address_, 0, count * sizeof(T)));
  }
  explicit Values(const std::vector<T>& from) : Values(from.size()) {
    CHECK(cuMemcpyHtoD(address_, from.data(), count_ * sizeof(T)));
  }
  ~Values() { cuMemFree(address_); }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;
  std::vector<T> read() const {
    std::vector<T> to(count_);
    CHECK(cuMemcpyDtoH(to.data(), address_, count_ * sizeof(T)));
    return to;
  }
  CUdeviceptr* argument() { return &address_; }
  CUdeviceptr address() const { return address_; }

 private:
  std::size_t count_;
  CUdeviceptr address_ = 0;
};

template <typename... Arguments>
void launch(CUfunction function, unsigned blocks, unsigned threads, CUstream stream, Arguments... arguments) {
  void* pointers[] = {static_cast<void*>(arguments)...};
  CHECK(cuLaunchKernel(function, blocks, 1, 1, threads, 1, 1, 0, stream, pointers, nullptr));
}

}  // namespace sample

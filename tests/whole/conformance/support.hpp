// SPDX-License-Identifier: MIT
// What the bodies of the conformance suite share: contexts that end with their test, code from PTX text, and
// copies that are one line. Hides where CUDA 12 and 13 spell a call differently, so that the suite compiles
// with either. Must not depend on the embedded driver; uses cuda.h only.
#pragma once

#include <array>
#include <utility>

#include "harness.hpp"

namespace conformance {

// cuCtxCreate has a parameter more since CUDA 13.
inline CUresult create_context(CUcontext* context, unsigned flags, CUdevice device) {
#if CUDA_VERSION >= 13000
  return cuCtxCreate(context, nullptr, flags, device);
#else
  return cuCtxCreate(context, flags, device);
#endif
}

// Current on this thread until the end of its scope.
class Context {
 public:
  explicit Context(CUdevice device = 0, unsigned flags = 0) {
    NEEDS(create_context(&handle_, flags, device));
  }
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() { destroy(); }

  CUresult destroy() {
    const CUcontext handle = std::exchange(handle_, nullptr);
    return handle != nullptr ? cuCtxDestroy(handle) : CUDA_SUCCESS;
  }
  operator CUcontext() const { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  CUcontext handle_ = nullptr;
};

inline CUcontext current() {
  CUcontext context = nullptr;
  NEEDS(cuCtxGetCurrent(&context));
  return context;
}

inline int device_count() {
  int count = 0;
  NEEDS(cuDeviceGetCount(&count));
  return count;
}

inline void needs_two_devices() {
  if (device_count() < 2) skip("needs two devices");
}

inline int attribute(CUdevice_attribute which, CUdevice device = 0) {
  int value = 0;
  NEEDS(cuDeviceGetAttribute(&value, which, device));
  return value;
}

inline CUdeviceptr allocate(std::size_t size) {
  CUdeviceptr address = 0;
  NEEDS(cuMemAlloc(&address, size));
  return address;
}

// Allocated and zero.
inline CUdeviceptr zeros(std::size_t size) {
  const CUdeviceptr address = allocate(size);
  NEEDS(cuMemsetD8(address, 0, size));
  return address;
}

template <typename Value>
Value read(CUdeviceptr address) {
  Value value{};
  SUCCEEDS(cuMemcpyDtoH(&value, address, sizeof value));
  return value;
}

template <typename Value>
std::vector<Value> read_many(CUdeviceptr address, std::size_t count) {
  std::vector<Value> values(count);
  SUCCEEDS(cuMemcpyDtoH(values.data(), address, count * sizeof(Value)));
  return values;
}

template <typename Value>
void write(CUdeviceptr address, const Value& value) {
  SUCCEEDS(cuMemcpyHtoD(address, &value, sizeof value));
}

// Every kernel of the suite; device_code.cpp.
extern const char* const kDeviceCode;
extern const char* const kPrintingCode;  // needs vprintf, so it is separate

class Module {
 public:
  explicit Module(const char* code = kDeviceCode) { NEEDS(cuModuleLoadData(&handle_, code)); }
  [[nodiscard]] CUfunction function(const char* name) const {
    CUfunction found = nullptr;
    NEEDS(cuModuleGetFunction(&found, handle_, name));
    return found;
  }
  [[nodiscard]] CUdeviceptr global(const char* name) const {
    CUdeviceptr address = 0;
    NEEDS(cuModuleGetGlobal(&address, nullptr, handle_, name));
    return address;
  }
  operator CUmodule() const { return handle_; }  // NOLINT(google-explicit-constructor)

 private:
  CUmodule handle_ = nullptr;
};

struct Shape {
  unsigned blocks = 1, threads = 1, shared = 0;
  CUstream stream = nullptr;
};

template <typename... Arguments>
CUresult launch(CUfunction function, Shape shape, Arguments... arguments) {
  std::array<void*, sizeof...(Arguments) + 1> addresses{static_cast<void*>(&arguments)..., nullptr};
  return cuLaunchKernel(function, shape.blocks, 1, 1, shape.threads, 1, 1, shape.shared, shape.stream,
                        addresses.data(), nullptr);
}

// Keeps the stream busy for that long, by the device's own clock.
inline CUresult spin(const Module& module, unsigned milliseconds, CUstream stream = nullptr) {
  return launch(module.function("spin"), {.stream = stream}, 1000000ULL * milliseconds, CUdeviceptr{0});
}

inline CUstream make_stream(unsigned flags = CU_STREAM_NON_BLOCKING) {
  CUstream stream = nullptr;
  NEEDS(cuStreamCreate(&stream, flags));
  return stream;
}

inline CUevent make_event(unsigned flags = CU_EVENT_DEFAULT) {
  CUevent event = nullptr;
  NEEDS(cuEventCreate(&event, flags));
  return event;
}

}  // namespace conformance

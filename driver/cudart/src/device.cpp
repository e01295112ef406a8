// SPDX-License-Identifier: MIT
// The manual's chapter "Device Management": which devices there are, which one the thread has chosen, and its
// context.
//
// For the runtime, a device is its primary context. Properties are in properties.cpp.
#include <cudaProfiler.h>

#include "cuda_profiler_api.h"
#include "runtime.hpp"

using namespace cudart;

// cudaGetDeviceCount. Errors: none in particular. Makes no context (rt_getdevicecount_only).
cudaError_t CUDARTAPI cudaGetDeviceCount(int* count) {
  return with_driver([&] {
    if (const CUresult error = cuDeviceGetCount(count)) return error;
    return *count == 0 ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
  });
}

// cudaGetDevice. Errors: InvalidValue, DeviceUnavailable. Makes no context (rt_threads, step 4).
cudaError_t CUDARTAPI cudaGetDevice(int* device) {
  if (device == nullptr) return remember(cudaErrorInvalidValue);
  *device = current_device();
  return cudaSuccess;
}

// cudaSetDevice. Errors: InvalidDevice, DeviceUnavailable. Makes the primary context current in the place of
// whatever is (rt_on_driver_context, steps 11 to 17).
cudaError_t CUDARTAPI cudaSetDevice(int device) {
  return with_driver([&] { return use_device(device); });
}

// cudaInitDevice. Errors: InvalidDevice, InvalidValue. Makes the context without making it current.
cudaError_t CUDARTAPI cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  return with_driver([&] {
    if ((flags & ~static_cast<unsigned int>(cudaInitDeviceFlagsAreValid)) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    if ((flags & cudaInitDeviceFlagsAreValid) != 0) {
      if (const CUresult error = cuDevicePrimaryCtxSetFlags(device, device_flags)) return error;
    }
    CUcontext context = nullptr;
    return primary_context(device, context);
  });
}

// cudaSetDeviceFlags. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaSetDeviceFlags(unsigned int flags) {
  return with_driver([&] { return cuDevicePrimaryCtxSetFlags(current_device(), flags); });
}

// cudaGetDeviceFlags. Errors: InvalidDevice.
cudaError_t CUDARTAPI cudaGetDeviceFlags(unsigned int* flags) {
  return with_driver([&] {
    CUcontext context = nullptr;
    if (const CUresult error = cuCtxGetCurrent(&context)) return error;
    if (context != nullptr) return cuCtxGetFlags(flags);
    int active = 0;
    return cuDevicePrimaryCtxGetState(current_device(), flags, &active);
  });
}

// cudaSetValidDevices. Errors: InvalidValue, InvalidDevice. The first of them becomes the thread's device.
cudaError_t CUDARTAPI cudaSetValidDevices(int* devices, int count) {
  if (devices == nullptr || count <= 0) return remember(cudaErrorInvalidValue);
  return cudaSetDevice(devices[0]);
}

// cudaDeviceReset. Errors: none in particular. The context stays current and is no more until the next call
// (rt_device_reset).
cudaError_t CUDARTAPI cudaDeviceReset() {
  return with_driver([] { return cuDevicePrimaryCtxReset(current_device()); });
}

// cudaDriverGetVersion. Errors: InvalidValue. Needs no device.
cudaError_t CUDARTAPI cudaDriverGetVersion(int* version) {
  return answer(cuDriverGetVersion(version));
}

// cudaProfilerStart and cudaProfilerStop. Errors: none in particular.

cudaError_t CUDARTAPI cudaProfilerStart() {
  return with_context([] { return cuProfilerStart(); });
}

cudaError_t CUDARTAPI cudaProfilerStop() {
  return with_context([] { return cuProfilerStop(); });
}

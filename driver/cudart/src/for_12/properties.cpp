// SPDX-License-Identifier: MIT
// What libcudart.so.12 has instead of libcudart.so.13's cudaGetDeviceProperties: the same with its own
// struct.
//
// CUDA 12's header makes the plain name mean this one. It copies from the struct of 13.
#include "for_12/properties.hpp"

#include <cstring>

#include "choose_device.hpp"

using namespace cudart;

extern "C" {
cudaError_t CUDARTAPI cudaGetDeviceProperties_v2(for_12::DeviceProperties* properties, int device);
cudaError_t choose(int* device, const for_12::DeviceProperties* wants) __asm__("cudaChooseDevice");
}

// cudaGetDeviceProperties of CUDA 12. Errors: InvalidDevice.
cudaError_t CUDARTAPI cudaGetDeviceProperties_v2(for_12::DeviceProperties* properties, int device) {
  static_assert(sizeof(for_12::DeviceProperties) == 1032);
  if (properties == nullptr) return remember(cudaErrorInvalidValue);
  cudaDeviceProp now;
  if (const cudaError_t error = cudaGetDeviceProperties(&now, device)) return error;
  *properties = {};
  std::memcpy(properties->name, now.name, sizeof now.name);
  properties->uuid = now.uuid;
  properties->totalGlobalMem = now.totalGlobalMem;
#define PROPERTY(field, attribute) put(properties->field, CU_DEVICE_ATTRIBUTE_##attribute, device);
#include "properties.inc"
  PROPERTY(clockRate, CLOCK_RATE)
  PROPERTY(deviceOverlap, GPU_OVERLAP)
  PROPERTY(kernelExecTimeoutEnabled, KERNEL_EXEC_TIMEOUT)
  PROPERTY(computeMode, COMPUTE_MODE)
  PROPERTY(maxTexture1DLinear, MAXIMUM_TEXTURE1D_LINEAR_WIDTH)
  PROPERTY(memoryClockRate, MEMORY_CLOCK_RATE)
  PROPERTY(singleToDoublePrecisionPerfRatio, SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO)
  PROPERTY(cooperativeMultiDeviceLaunch, COOPERATIVE_MULTI_DEVICE_LAUNCH)
#undef PROPERTY
  return cudaSuccess;
}

// cudaChooseDevice of CUDA 12. Errors: InvalidValue. What counts in choosing has other places in its struct.
cudaError_t choose(int* device, const for_12::DeviceProperties* wants) {
  return with_driver([&] {
    if (wants == nullptr) return CUDA_ERROR_INVALID_VALUE;
    cudaDeviceProp now = {};
    now.major = wants->major;
    now.minor = wants->minor;
    now.totalGlobalMem = wants->totalGlobalMem;
    now.multiProcessorCount = wants->multiProcessorCount;
    now.sharedMemPerBlock = wants->sharedMemPerBlock;
    return choose_device(device, &now);
  });
}

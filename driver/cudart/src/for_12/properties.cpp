// SPDX-License-Identifier: MIT
// What libcudart.so.12 has instead of libcudart.so.13's cudaGetDeviceProperties: the same with its own
// struct.
//
// CUDA 12's header makes the plain name mean this one. It copies from the struct of 13.
#include "for_12/properties.hpp"

#include <cstring>

#include "choose_device.hpp"

using namespace cudart;

namespace {

template <class T>
void ask(T& field, CUdevice_attribute attribute, CUdevice device) {
  int value = 0;
  if (cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS) field = static_cast<T>(value);
}

}  // namespace

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
#define PROPERTY(field, attribute) ask(properties->field, CU_DEVICE_ATTRIBUTE_##attribute, device);
#include "for_12/properties.inc"
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

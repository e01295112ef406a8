// SPDX-License-Identifier: MIT
// cudaGetDeviceProperties: all properties of a device in one struct; and choosing a device by it.
//
// Nearly every field is one attribute of the driver (properties.inc). A program that needs only a few should
// use cudaDeviceGetAttribute, because this reads about a hundred attributes.
#include "choose_device.hpp"

using namespace cudart;

namespace {

CUresult describe(cudaDeviceProp& properties, CUdevice device) {
  properties = {};
  constexpr int kLength = sizeof(properties.name);
  if (const CUresult error = cuDeviceGetName(properties.name, kLength, device)) return error;
  if (const CUresult error = cuDeviceTotalMem(&properties.totalGlobalMem, device)) return error;
  if (const CUresult error = cuDeviceGetUuid(&properties.uuid, device)) return error;
  // Only on Windows; nothing is written elsewhere.
  cuDeviceGetLuid(properties.luid, &properties.luidDeviceNodeMask, device);
#define PROPERTY(field, attribute) put(properties.field, CU_DEVICE_ATTRIBUTE_##attribute, device);
#include "properties.inc"
  PROPERTY(deviceNumaConfig, NUMA_CONFIG)
  PROPERTY(deviceNumaId, NUMA_ID)
  PROPERTY(mpsEnabled, MPS_ENABLED)
  PROPERTY(hostNumaId, HOST_NUMA_ID)
  PROPERTY(gpuPciDeviceID, GPU_PCI_DEVICE_ID)
  PROPERTY(gpuPciSubsystemID, GPU_PCI_SUBSYSTEM_ID)
  PROPERTY(hostNumaMultinodeIpcSupported, HOST_NUMA_MULTINODE_IPC_SUPPORTED)
#undef PROPERTY
  return CUDA_SUCCESS;
}

// How many of the wanted properties the device has; a zero means that any value is fine.
int fit(const cudaDeviceProp& has, const cudaDeviceProp& wants) {
  int points = 0;
  const bool capable = has.major > wants.major || (has.major == wants.major && has.minor >= wants.minor);
  if (wants.major != 0 && capable) ++points;
  if (wants.totalGlobalMem != 0 && has.totalGlobalMem >= wants.totalGlobalMem) ++points;
  if (wants.multiProcessorCount != 0 && has.multiProcessorCount >= wants.multiProcessorCount) ++points;
  if (wants.sharedMemPerBlock != 0 && has.sharedMemPerBlock >= wants.sharedMemPerBlock) ++points;
  return points;
}

}  // namespace

// cudaGetDeviceProperties. Errors: InvalidDevice. Makes no context (rt_getdevicecount_only, step 7).
cudaError_t CUDARTAPI cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return with_driver(
      [&] { return properties == nullptr ? CUDA_ERROR_INVALID_VALUE : describe(*properties, device); });
}

CUresult cudart::choose_device(int* device, const cudaDeviceProp* wants) {
  if (device == nullptr || wants == nullptr) return CUDA_ERROR_INVALID_VALUE;
  int count = 0;
  if (const CUresult error = cuDeviceGetCount(&count)) return error;
  int best = -1;
  for (int candidate = 0; candidate < count; ++candidate) {
    cudaDeviceProp has;
    if (const CUresult error = describe(has, candidate)) return error;
    const int points = fit(has, *wants);
    if (points <= best) continue;
    best = points;
    *device = candidate;
  }
  return best < 0 ? CUDA_ERROR_NO_DEVICE : CUDA_SUCCESS;
}

// SPDX-License-Identifier: MIT
// Entry points of the manual's chapters "Device Management" and its deprecated part.
//
// None needs a context: devices exist after cuInit.
#include "core/device.hpp"

#include <cstdio>

#include "core/driver.hpp"
#include "core/log.hpp"

using driver::Device;
using driver::Driver;

namespace {

// What every call here begins with: 3 or 4, then 1 for a null result, then 101 for a device that is not
// there.
CUresult find_device(const void* result, CUdevice handle, Device*& device) {
  if (const CUresult error = Driver::ready()) return error;
  if (result == nullptr) return CUDA_ERROR_INVALID_VALUE;
  device = Driver::get().device(handle);
  return device == nullptr ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

// Some calls say in the log which devices there are (truth logs_device).
CUresult say_range(CUresult error, const char* parameter) {
  return error == CUDA_ERROR_INVALID_DEVICE ? no_such_device(parameter, Driver::get().device_count()) : error;
}

// As the real driver: as much of the text as fits, always terminated (truth before_init, step 36).
CUresult write_text(char* target, int size, const std::string& text) {
  if (size <= 0) return CUDA_ERROR_INVALID_VALUE;
  std::snprintf(target, static_cast<std::size_t>(size), "%s", text.c_str());
  return CUDA_SUCCESS;
}

int attribute_of(const Device& device, CUdevice_attribute attribute) {
  return device.attribute(attribute).value_or(0);
}

}  // namespace

// cuDeviceGet. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_DEVICE.
CUresult CUDAAPI cuDeviceGet(CUdevice* device, int ordinal) {
  Device* found = nullptr;
  if (const CUresult error = find_device(device, ordinal, found)) return say_range(error, "ordinal");
  *device = found->ordinal();
  return CUDA_SUCCESS;
}

// cuDeviceGetCount. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuDeviceGetCount(int* count) {
  if (const CUresult error = Driver::ready()) return error;
  if (count == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *count = Driver::get().device_count();
  return CUDA_SUCCESS;
}

// cuDeviceGetName. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_DEVICE.
// Measured: the real driver crashes on length 0 (truth before_init, after step 36); here it is 1.
CUresult CUDAAPI cuDeviceGetName(char* name, int length, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(name, handle, device)) return error;
  return write_text(name, length, device->name());
}

// cuDeviceGetUuid. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_DEVICE.
CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(uuid, handle, device)) return error;
  *uuid = device->uuid();
  return CUDA_SUCCESS;
}

// cuDeviceGetLuid. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_DEVICE. Windows only.
CUresult CUDAAPI cuDeviceGetLuid(char* luid, unsigned int*, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(luid, handle, device)) return error;
  return CUDA_ERROR_NOT_SUPPORTED;
}

// cuDeviceTotalMem. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_DEVICE.
CUresult CUDAAPI cuDeviceTotalMem_v2(size_t* bytes, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(bytes, handle, device)) return error;
  *bytes = Driver::get().memory().capacity(*device);
  return CUDA_SUCCESS;
}

// cuDeviceGetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_DEVICE.
CUresult CUDAAPI cuDeviceGetAttribute(int* value, CUdevice_attribute attribute, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(value, handle, device)) return say_range(error, "dev");
  const auto known = device->attribute(attribute);
  if (!known) return refuse(CUDA_ERROR_INVALID_VALUE, "Invalid device attribute enum value");
  *value = *known;
  return CUDA_SUCCESS;
}

// cuDeviceGetPCIBusId. Errors: INVALID_VALUE, INVALID_DEVICE. Measured: what does not fit is cut, as a name
// is, and gives 1.
CUresult CUDAAPI cuDeviceGetPCIBusId(char* text, int length, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(text, handle, device)) return error;
  const CUresult error = write_text(text, length, device->pci_bus_id());
  if (error) return error;
  return device->pci_bus_id().size() < static_cast<std::size_t>(length) ? CUDA_SUCCESS
                                                                        : CUDA_ERROR_INVALID_VALUE;
}

// cuDeviceGetByPCIBusId. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_DEVICE. The text is
// [domain]:bus:device[.function] in hexadecimal; one that cannot be read is 1, one of no device is 101.
CUresult CUDAAPI cuDeviceGetByPCIBusId(CUdevice* device, const char* text) {
  if (const CUresult error = Driver::ready()) return error;
  if (device == nullptr || text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  unsigned domain = 0;
  unsigned bus = 0;
  unsigned slot = 0;
  unsigned function = 0;
  if (std::sscanf(text, "%x:%x:%x.%x", &domain, &bus, &slot, &function) < 3) {
    domain = function = 0;
    if (std::sscanf(text, "%x:%x.%x", &bus, &slot, &function) < 2) return CUDA_ERROR_INVALID_VALUE;
  }
  for (int ordinal = 0; ordinal < Driver::get().device_count(); ++ordinal) {
    const Device& candidate = *Driver::get().device(ordinal);
    if (domain == 0 && slot == 0 && function == 0 &&
        bus == static_cast<unsigned>(attribute_of(candidate, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID))) {
      *device = ordinal;
      return CUDA_SUCCESS;
    }
  }
  return CUDA_ERROR_INVALID_DEVICE;
}

// cuDeviceGetExecAffinitySupport. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_DEVICE. There is no limiting of multiprocessors here. Measured: a type that is none is no error.
CUresult CUDAAPI cuDeviceGetExecAffinitySupport(int* supported, CUexecAffinityType, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(supported, handle, device)) return error;
  *supported = 0;
  return CUDA_SUCCESS;
}

// cuDeviceGetProperties (deprecated). Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_DEVICE.
CUresult CUDAAPI cuDeviceGetProperties(CUdevprop* properties, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(properties, handle, device)) return error;
  const auto of = [&](CUdevice_attribute attribute) { return attribute_of(*device, attribute); };
  *properties = CUdevprop{};
  properties->maxThreadsPerBlock = of(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  properties->maxThreadsDim[0] = of(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X);
  properties->maxThreadsDim[1] = of(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y);
  properties->maxThreadsDim[2] = of(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z);
  properties->maxGridSize[0] = of(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
  properties->maxGridSize[1] = of(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y);
  properties->maxGridSize[2] = of(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z);
  properties->sharedMemPerBlock = of(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK);
  properties->totalConstantMemory = of(CU_DEVICE_ATTRIBUTE_TOTAL_CONSTANT_MEMORY);
  properties->SIMDWidth = of(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  properties->memPitch = of(CU_DEVICE_ATTRIBUTE_MAX_PITCH);
  properties->regsPerBlock = of(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  properties->clockRate = of(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  properties->textureAlign = of(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
  return CUDA_SUCCESS;
}

// cuDeviceComputeCapability (deprecated). Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_VALUE, INVALID_DEVICE.
CUresult CUDAAPI cuDeviceComputeCapability(int* major, int* minor, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(major, handle, device)) return error;
  if (minor == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *major = attribute_of(*device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  *minor = attribute_of(*device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return CUDA_SUCCESS;
}

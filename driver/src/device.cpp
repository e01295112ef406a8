// SPDX-License-Identifier: MIT
// Entry points of the manual's chapters "Device Management" and its deprecated part.
//
// None needs a context: devices exist after cuInit.
#include "core/device.hpp"

#include <algorithm>
#include <cstdio>
#include <list>
#include <mutex>

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

// Of a texture's element; 0 if there is no such format. Formats with a number of channels in their name take
// no other.
unsigned element_bytes(CUarray_format format, unsigned channels) {
  const auto of_channels = [channels](unsigned bytes) {
    return channels == 1 || channels == 2 || channels == 4 ? bytes * channels : 0;
  };
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return of_channels(1);
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return of_channels(2);
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return of_channels(4);
    case CU_AD_FORMAT_UNORM_INT8X1:
    case CU_AD_FORMAT_SNORM_INT8X1:
      return channels == 1 ? 1 : 0;
    case CU_AD_FORMAT_UNORM_INT8X2:
    case CU_AD_FORMAT_SNORM_INT8X2:
      return channels == 2 ? 2 : 0;
    case CU_AD_FORMAT_UNORM_INT8X4:
    case CU_AD_FORMAT_SNORM_INT8X4:
      return channels == 4 ? 4 : 0;
    case CU_AD_FORMAT_UNORM_INT16X1:
    case CU_AD_FORMAT_SNORM_INT16X1:
      return channels == 1 ? 2 : 0;
    case CU_AD_FORMAT_UNORM_INT16X2:
    case CU_AD_FORMAT_SNORM_INT16X2:
      return channels == 2 ? 4 : 0;
    case CU_AD_FORMAT_UNORM_INT16X4:
    case CU_AD_FORMAT_SNORM_INT16X4:
    case CU_AD_FORMAT_BC1_UNORM:  // of a block, as below
    case CU_AD_FORMAT_BC1_UNORM_SRGB:
      return channels == 4 ? 8 : 0;
    case CU_AD_FORMAT_BC2_UNORM:
    case CU_AD_FORMAT_BC2_UNORM_SRGB:
    case CU_AD_FORMAT_BC3_UNORM:
    case CU_AD_FORMAT_BC3_UNORM_SRGB:
    case CU_AD_FORMAT_BC7_UNORM:
    case CU_AD_FORMAT_BC7_UNORM_SRGB:
      return channels == 4 ? 16 : 0;
    case CU_AD_FORMAT_BC4_UNORM:
    case CU_AD_FORMAT_BC4_SNORM:
      return channels == 1 ? 8 : 0;
    case CU_AD_FORMAT_BC5_UNORM:
    case CU_AD_FORMAT_BC5_SNORM:
      return channels == 2 ? 16 : 0;
    case CU_AD_FORMAT_BC6H_UF16:
    case CU_AD_FORMAT_BC6H_SF16:
      return channels == 3 ? 16 : 0;
    default:
      return 0;
  }
}

// Who asked to be notified, of which device. A handle is the address of an entry.
struct Notifications {
  static Notifications& get() {
    static auto* const all = new Notifications;  // leaked: threads may be in a call at the end of the process
    return *all;
  }
  std::mutex lock;
  std::list<CUdevice> registered;
};

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
CUresult CUDAAPI cuDeviceGetLuid(char* luid, unsigned int* mask, CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(mask == nullptr ? nullptr : luid, handle, device)) return error;
  return CUDA_ERROR_NOT_SUPPORTED;
}

// cuDeviceGetHostAtomicCapabilities. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_DEVICE.
// Over PCI Express no operation is native. Measured: all results are 0 before the operations are looked at,
// and of those the last one of the header is refused (truth atomics_host).
CUresult CUDAAPI cuDeviceGetHostAtomicCapabilities(unsigned int* capabilities,
                                                   const CUatomicOperation* operations, unsigned int count,
                                                   CUdevice handle) {
  if (const CUresult error = Driver::ready()) return error;
  if (capabilities == nullptr || operations == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  Device* device = nullptr;
  if (const CUresult error = find_device(capabilities, handle, device)) return say_range(error, "dev");
  std::fill_n(capabilities, count, 0);
  return std::all_of(operations, operations + count, driver::is_atomic_operation) ? CUDA_SUCCESS
                                                                                  : CUDA_ERROR_INVALID_VALUE;
}

// cuDeviceGetNvSciSyncAttributes. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE,
// INVALID_DEVICE, NOT_SUPPORTED, OUT_OF_MEMORY. A list of attributes is made by NvSciSync, of which there is
// none here, so none is valid. Measured: device_more, steps 16 to 18.
CUresult CUDAAPI cuDeviceGetNvSciSyncAttributes(void*, CUdevice handle, int flags) {
  if (const CUresult error = Driver::ready()) return error;
  if (Driver::get().device(handle) == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  const bool known = flags != 0 && (flags & ~(CUDA_NVSCISYNC_ATTR_SIGNAL | CUDA_NVSCISYNC_ATTR_WAIT)) == 0;
  return known ? CUDA_ERROR_INVALID_HANDLE : CUDA_ERROR_INVALID_VALUE;
}

// cuDeviceGetTexture1DLinearMaxWidth. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_DEVICE.
// Measured: 4 GiB of elements, and no more than 2^30 (truth texture_width).
CUresult CUDAAPI cuDeviceGetTexture1DLinearMaxWidth(size_t* width, CUarray_format format, unsigned channels,
                                                    CUdevice handle) {
  Device* device = nullptr;
  if (const CUresult error = find_device(width, handle, device)) return error;
  const unsigned bytes = element_bytes(format, channels);
  if (bytes == 0) return CUDA_ERROR_INVALID_VALUE;
  *width = std::min(std::size_t{1} << 30, (std::size_t{1} << 32) / bytes);
  return CUDA_SUCCESS;
}

// cuDeviceRegisterAsyncNotification. Errors: INVALID_VALUE, INVALID_DEVICE, NOT_PERMITTED. The only
// notification there is, of memory over a budget, is for devices that share their memory with a display:
// nothing is ever notified here.
CUresult CUDAAPI cuDeviceRegisterAsyncNotification(CUdevice handle, CUasyncCallback callback, void*,
                                                   CUasyncCallbackHandle* registered) {
  Device* device = nullptr;
  if (const CUresult error = find_device(registered, handle, device)) return error;
  if (callback == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Notifications& notifications = Notifications::get();
  const std::lock_guard lock(notifications.lock);
  *registered = reinterpret_cast<CUasyncCallbackHandle>(&notifications.registered.emplace_back(handle));
  return CUDA_SUCCESS;
}

// cuDeviceUnregisterAsyncNotification. Errors: INVALID_VALUE, INVALID_DEVICE, NOT_PERMITTED. Measured: the
// real driver crashes on a handle that is none; here it is 1.
CUresult CUDAAPI cuDeviceUnregisterAsyncNotification(CUdevice handle, CUasyncCallbackHandle registered) {
  Device* device = nullptr;
  if (const CUresult error = find_device(registered, handle, device)) return error;
  Notifications& notifications = Notifications::get();
  const std::lock_guard lock(notifications.lock);
  const auto removed = std::erase_if(notifications.registered, [&](const CUdevice& entry) {
    return static_cast<const void*>(&entry) == registered && entry == handle;
  });
  return removed == 1 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
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

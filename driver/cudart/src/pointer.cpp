// SPDX-License-Identifier: MIT
// The manual's chapter "Unified Addressing": what is at an address.
//
// One driver call gets all values for the struct; an address that the driver does not know is the host's own
// memory.
#include "runtime.hpp"

using namespace cudart;

// cudaPointerGetAttributes. Errors: InvalidDevice, InvalidValue. Memory that CUDA does not know is a success
// too.
cudaError_t CUDARTAPI cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
  return with_context([&] {
    if (attributes == nullptr) return CUDA_ERROR_INVALID_VALUE;
    unsigned int type = 0;
    unsigned int managed = 0;
    int device = cudaInvalidDeviceId;
    CUdeviceptr on_device = 0;
    void* on_host = nullptr;
    CUpointer_attribute asked[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED,
                                   CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, CU_POINTER_ATTRIBUTE_DEVICE_POINTER,
                                   CU_POINTER_ATTRIBUTE_HOST_POINTER};
    void* answers[] = {&type, &managed, &device, &on_device, &on_host};
    if (const CUresult error = cuPointerGetAttributes(5, asked, answers, address_of(pointer))) return error;
    *attributes = {};
    attributes->type = managed != 0                   ? cudaMemoryTypeManaged
                       : type == CU_MEMORYTYPE_HOST   ? cudaMemoryTypeHost
                       : type == CU_MEMORYTYPE_DEVICE ? cudaMemoryTypeDevice
                                                      : cudaMemoryTypeUnregistered;
    attributes->device = device;
    attributes->devicePointer = reinterpret_cast<void*>(on_device);
    attributes->hostPointer = on_host;
    if (attributes->type == cudaMemoryTypeUnregistered) {
      attributes->device = cudaInvalidDeviceId;
      attributes->hostPointer = const_cast<void*>(pointer);
    }
    return CUDA_SUCCESS;
  });
}

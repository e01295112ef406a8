// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Multicast Object Management" that can be asked without a multicast
// object.
//
// Nothing here was measured: these calls are not made on machines that people share. The manual requires
// CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED of every device that takes part, which is 0 here.
#include "core/call.hpp"
#include "core/log.hpp"

using namespace driver;

namespace {

CUresult check(const void* result, const CUmulticastObjectProp* properties, bool good) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (!good || result == nullptr || properties == nullptr || properties->numDevices == 0 ||
      properties->size == 0 || properties->flags != 0)
    return CUDA_ERROR_INVALID_VALUE;
  return refuse(CUDA_ERROR_NOT_SUPPORTED, "No device supports multicast");
}

}  // namespace

// cuMulticastCreate. Errors: INVALID_VALUE, OUT_OF_MEMORY, INVALID_DEVICE, NOT_INITIALIZED, DEINITIALIZED,
// NOT_PERMITTED, NOT_SUPPORTED.
CUresult CUDAAPI cuMulticastCreate(CUmemGenericAllocationHandle* handle,
                                   const CUmulticastObjectProp* properties) {
  return check(handle, properties, true);
}

// cuMulticastGetGranularity. Errors: INVALID_VALUE, NOT_INITIALIZED, DEINITIALIZED, NOT_PERMITTED,
// NOT_SUPPORTED.
CUresult CUDAAPI cuMulticastGetGranularity(size_t* granularity, const CUmulticastObjectProp* properties,
                                           CUmulticastGranularity_flags option) {
  return check(granularity, properties,
               option == CU_MULTICAST_GRANULARITY_MINIMUM || option == CU_MULTICAST_GRANULARITY_RECOMMENDED);
}

// SPDX-License-Identifier: MIT
// The manual's chapter "Driver Entry Point Access": functions of the driver by name.
//
// Compiled twice; see copy.cpp. Unless the caller asks for the other kind, the second form returns the
// variants with a default stream for each thread.
#include "runtime.hpp"

using namespace cudart;

namespace {

CUresult find(const char* name, void** function, int version, unsigned long long flags,
              cudaDriverEntryPointQueryResult* status) {
  if (name == nullptr || function == nullptr || flags > cudaEnablePerThreadDefaultStream)
    return CUDA_ERROR_INVALID_VALUE;
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  if (flags == cudaEnableDefault) flags = cudaEnablePerThreadDefaultStream;
#endif
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  const CUresult error = cuGetProcAddress_v2(name, function, version, flags, &found);
  if (status != nullptr) *status = static_cast<cudaDriverEntryPointQueryResult>(found);
  return error;
}

}  // namespace

// cudaGetDriverEntryPointByVersion. Errors: InvalidValue, NotSupported. A name that is unknown or too new is
// a success with a null function and the reason in `status` (rt_entry_point).
cudaError_t CUDARTAPI cudaGetDriverEntryPointByVersion(const char* name, void** function,
                                                       unsigned int version, unsigned long long flags,
                                                       cudaDriverEntryPointQueryResult* status) {
  return with_driver([&] { return find(name, function, static_cast<int>(version), flags, status); });
}

// cudaGetDriverEntryPoint. Errors: InvalidValue, NotSupported. The version is the runtime's own.
cudaError_t CUDARTAPI cudaGetDriverEntryPoint(const char* name, void** function, unsigned long long flags,
                                              cudaDriverEntryPointQueryResult* status) {
  return with_driver([&] { return find(name, function, CUDART_VERSION, flags, status); });
}

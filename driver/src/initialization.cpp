// SPDX-License-Identifier: MIT
// Entry points of the manual's chapters "Initialization" and "Version Management", and cuGetExportTable.
//
// They check their arguments; the work is done in core/driver.cpp.
#include "core/driver.hpp"

using driver::Driver;

// cuInit. Errors: INVALID_VALUE, INVALID_DEVICE, SYSTEM_DRIVER_MISMATCH, COMPAT_NOT_SUPPORTED_ON_DEVICE.
// Measured: repeating it succeeds; flags other than 0 give 1 (truth before_init, steps 22 to 24); in the
// child of a process that had initialised it returns 3; with no device visible 100, with one visible twice
// 101, and the rest then gives 3.
CUresult CUDAAPI cuInit(unsigned int flags) {
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return Driver::initialize();
}

// cuDriverGetVersion. Errors: INVALID_VALUE. Works before cuInit (truth before_init, step 1),
// not at the end of the process (teardown, step 6).
CUresult CUDAAPI cuDriverGetVersion(int* version) {
  if (Driver::ready() == CUDA_ERROR_DEINITIALIZED) return CUDA_ERROR_DEINITIALIZED;
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = Driver::kVersion;
  return CUDA_SUCCESS;
}

// cuGetExportTable is not in the manual: it returns NVIDIA's private tables. This driver has none and
// imitates none.
CUresult CUDAAPI cuGetExportTable(const void** table, const CUuuid*) {
  if (table == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *table = nullptr;
  return CUDA_ERROR_NOT_FOUND;
}

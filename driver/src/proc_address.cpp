// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Driver Entry Point Access".
//
// The table is made from the description of the API: every name with its versions, the CUDA version that each
// came with, and its variant for the per-thread default stream. A program asks for a version of the header
// and gets the newest entry that is not newer. Measured: truth proc_address.
#include <algorithm>
#include <cstring>
#include <string_view>

#include "core/api.hpp"
#include "core/boundary.hpp"
#include "core/driver.hpp"

using driver::DefaultStream;
using driver::EntryPoint;

namespace {

// The newest of a name that is not newer than `version`. Variants for the per-thread default stream are only
// used if they are asked for, and then come before the legacy one of the same version.
const EntryPoint* choose(const EntryPoint* first, const EntryPoint* last, int version, bool per_thread) {
  const EntryPoint* best = nullptr;
  for (const EntryPoint* entry = first; entry != last; ++entry) {
    const bool variant = entry->stream == DefaultStream::PerThread;
    if (entry->since > version || (variant && !per_thread)) continue;
    if (best == nullptr || entry->since > best->since || (entry->since == best->since && variant))
      best = entry;
  }
  return best;
}

constexpr cuuint64_t kNownLookupFlags =
    CU_GET_PROC_ADDRESS_LEGACY_STREAM | CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM;

}  // namespace

// cuGetProcAddress. Errors: INVALID_VALUE, NOT_SUPPORTED. Works before cuInit (before_init, step 20).
// Measured: a name that is unknown or too new is a success with a null function and the reason in `status`;
// only a version beyond the driver's own is 1, and then nothing is written (proc_address, steps 65 to 67).
// The real driver crashes on a null result (after step 85); here it is 1.
CUresult CUDAAPI cuGetProcAddress_v2(const char* name, void** function, int version, cuuint64_t flags,
                                     CUdriverProcAddressQueryResult* status) {
  if (name == nullptr || function == nullptr || (flags & ~kNownLookupFlags) != 0 ||
      version > driver::Driver::kVersion) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const auto [first, last] =
      std::equal_range(driver::entry_points, driver::entry_points + driver::entry_point_count,
                       EntryPoint{name, 0, DefaultStream::None, nullptr},
                       [](const EntryPoint& a, const EntryPoint& b) { return a.name < b.name; });
  const bool per_thread = (flags & CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) != 0;
  const EntryPoint* const chosen = choose(first, last, version, per_thread);
  *function = chosen == nullptr ? nullptr : chosen->address;
  if (status != nullptr) {
    *status = first == last       ? CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND
              : chosen == nullptr ? CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
                                  : CU_GET_PROC_ADDRESS_SUCCESS;
  }
  return CUDA_SUCCESS;
}

// The form of CUDA 11.3, before there was a status: not finding anything is an error.
CUresult CUDAAPI cuGetProcAddress(const char* name, void** function, int version, cuuint64_t flags) {
  const CUresult error = cuGetProcAddress_v2(name, function, version, flags, nullptr);
  if (error != CUDA_SUCCESS) return error;
  return *function == nullptr ? CUDA_ERROR_NOT_FOUND : CUDA_SUCCESS;
}

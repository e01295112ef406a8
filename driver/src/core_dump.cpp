// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Coredump Attributes Control API".
//
// A setting is a boolean of 1 byte, flags of 4 bytes, or a text of at most 1,023 characters and its end. All
// measured: truth core_get_global, core_get, core_set_global, core_set.
#include "core/core_dump.hpp"

#include <algorithm>
#include <cstring>

#include "core/call.hpp"

using namespace driver;

namespace {

constexpr std::size_t kMostText = 1024;

std::size_t size_of(CUcoredumpSettings setting) {
  if (CoreDumps::is_text(setting)) return kMostText;
  return setting == CU_COREDUMP_GENERATION_FLAGS ? sizeof(unsigned) : sizeof(bool);
}

// Dumps on demand are of the process only.
bool is_known(const Context* context, CUcoredumpSettings setting) {
  const bool on_demand = setting == CU_COREDUMP_ENABLE_USER_TRIGGER || setting == CU_COREDUMP_PIPE;
  return CoreDumps::is_known(setting) && (context == nullptr || !on_demand);
}

// Without a place for the value, the call returns how large it has to be.
CUresult get(const Context* context, CUcoredumpSettings setting, void* value, std::size_t* size) {
  if (size == nullptr || !is_known(context, setting)) return CUDA_ERROR_INVALID_VALUE;
  if (value == nullptr) {
    *size = size_of(setting);
    return CUDA_SUCCESS;
  }
  const CoreDumps::Value found = CoreDumps::get().value(context, setting);
  if (CoreDumps::is_text(setting)) {
    // The real driver writes 1,024 bytes whatever the size; here what does not fit is left out.
    std::strncpy(static_cast<char*>(value), found.text.c_str(), std::min(*size, kMostText));
    return CUDA_SUCCESS;
  }
  if (*size != size_of(setting)) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(value, &found.number, size_of(setting));
  return CUDA_SUCCESS;
}

CUresult set(const Context* context, CUcoredumpSettings setting, const void* value, std::size_t* size) {
  if (size == nullptr || !is_known(context, setting)) return CUDA_ERROR_INVALID_VALUE;
  if (setting == CU_COREDUMP_PIPE) return CUDA_ERROR_NOT_SUPPORTED;
  if (value == nullptr) {
    *size = size_of(setting);
    return CUDA_SUCCESS;
  }
  if (CoreDumps::get().settled(setting)) return CUDA_ERROR_INVALID_VALUE;
  CoreDumps::Value given{};
  if (CoreDumps::is_text(setting)) {
    if (*size > kMostText) return CUDA_ERROR_INVALID_VALUE;
    given.text.assign(static_cast<const char*>(value), strnlen(static_cast<const char*>(value), *size));
  } else {
    if (*size != size_of(setting)) return CUDA_ERROR_INVALID_VALUE;
    std::memcpy(&given.number, value, size_of(setting));
  }
  CoreDumps::get().set(context, setting, std::move(given));
  return CUDA_SUCCESS;
}

}  // namespace

// cuCoredumpGetAttribute. Errors: INVALID_VALUE, NOT_PERMITTED, DEINITIALIZED, NOT_INITIALIZED,
// INVALID_CONTEXT, CONTEXT_IS_DESTROYED.
CUresult CUDAAPI cuCoredumpGetAttribute(CUcoredumpSettings setting, void* value, size_t* size) {
  const Reading call;
  return call.error ? call.error : get(call.context, setting, value, size);
}

// cuCoredumpGetAttributeGlobal. Errors: INVALID_VALUE.
CUresult CUDAAPI cuCoredumpGetAttributeGlobal(CUcoredumpSettings setting, void* value, size_t* size) {
  return get(nullptr, setting, value, size);
}

// cuCoredumpSetAttribute. Errors: INVALID_VALUE, NOT_PERMITTED, DEINITIALIZED, NOT_INITIALIZED,
// INVALID_CONTEXT, CONTEXT_IS_DESTROYED.
CUresult CUDAAPI cuCoredumpSetAttribute(CUcoredumpSettings setting, void* value, size_t* size) {
  const Reading call;
  return call.error ? call.error : set(call.context, setting, value, size);
}

// cuCoredumpSetAttributeGlobal. Errors: INVALID_VALUE, NOT_PERMITTED.
CUresult CUDAAPI cuCoredumpSetAttributeGlobal(CUcoredumpSettings setting, void* value, size_t* size) {
  return set(nullptr, setting, value, size);
}

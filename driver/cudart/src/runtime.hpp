// SPDX-License-Identifier: MIT
// What every function of the runtime does around its driver call: take a context, translate arguments and the
// error, remember it.
//
// That is most of what a runtime does. It uses only the driver's public functions, so that the same library
// could work with any driver. Does not depend on a chapter of the API.
#pragma once

// A runtime without host_defines' keywords: this is plain C++.
#include <cuda.h>

#include <type_traits>

#include "cuda_runtime_api.h"

namespace cudart {

// Keeps an error for cudaGetLastError and returns it.
cudaError_t remember(cudaError_t error);

// The driver's errors have the same numbers in the runtime.
inline cudaError_t translate(CUresult result) {
  return static_cast<cudaError_t>(result);
}
inline cudaError_t answer(CUresult result) {
  return result == CUDA_SUCCESS ? cudaSuccess : remember(translate(result));
}

// The driver is initialised by the first call that needs it.
CUresult need_driver();

// A current context stays current. If there is none, the primary context of the thread's device becomes
// current; if that was reset, it is retained again under the same handle (truth rt_first, rt_device_reset).
CUresult need_context();

// In a handler only: MemoryAllocation, OperatingSystem or Unknown (boundary/instead_of_exception.hpp).
cudaError_t instead_of_exception();

// For functions that work without a context. No exception leaves either of the two, and what may throw is
// called in them.
template <class Call>
cudaError_t with_driver(Call call) try {
  const CUresult error = need_driver();
  return answer(error != CUDA_SUCCESS ? error : call());
} catch (...) {
  return remember(instead_of_exception());
}

template <class Call>
cudaError_t with_context(Call call) try {
  const CUresult error = need_context();
  return answer(error != CUDA_SUCCESS ? error : call());
} catch (...) {
  return remember(instead_of_exception());
}

// The device that the calling thread means: that of its current context, or what it chose, or 0.
int current_device();
// Chooses the device and makes its primary context current.
CUresult use_device(int device);
// The primary context of a device, taken if the runtime does not hold it.
CUresult primary_context(int device, CUcontext& context);

inline CUdeviceptr address_of(const void* pointer) {
  return reinterpret_cast<CUdeviceptr>(pointer);
}

// A runtime's struct or handle that the driver describes in the same words.
template <class To, class From>
To* same(From* value) {
  static_assert(sizeof(To) == sizeof(From));
  return reinterpret_cast<To*>(value);
}

// An argument of the runtime as the driver's function takes it: the same handle, number, enumerator or
// layout, where it has another type.
template <class To, class From>
To as(From value) {
  if constexpr (std::is_convertible_v<From, To>)
    return value;
  else if constexpr (std::is_enum_v<To> || (std::is_pointer_v<To> && std::is_same_v<From, void*>))
    return static_cast<To>(value);
  else if constexpr (std::is_class_v<To> || std::is_union_v<To>)
    return *same<To>(&value);
  else if constexpr (!std::is_pointer_v<To>)
    return address_of(value);
  else if constexpr (std::is_function_v<std::remove_pointer_t<To>>)
    return reinterpret_cast<To>(value);
  else
    return same<std::remove_pointer_t<To>>(value);
}

// The driver's function with the runtime's arguments.
template <class... To, class... From>
CUresult pass(CUresult (*call)(To...), From... values) {
  return call(as<To>(values)...);
}

}  // namespace cudart

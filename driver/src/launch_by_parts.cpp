// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Execution Control [DEPRECATED]": launches whose parameters are set
// one by one, as before cuLaunchKernel. A function keeps these parts, and launching passes them to
// core/launching.hpp.
//
// None of it was measured. A part is only kept, so a part that is too large is reported by the launch.
#include <algorithm>
#include <cstring>

#include "core/call.hpp"
#include "core/code.hpp"
#include "core/launching.hpp"

using namespace driver;

namespace {

template <typename Change>
CUresult change(CUfunction handle, Change do_change) {
  const Changing call;
  if (call.error) return call.error;
  Function* const function = Code::get().function(handle);
  if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return do_change(function->parts);
}

CUresult set_parameter(CUfunction handle, int offset, const void* value, std::size_t size) {
  return change(handle, [&](LaunchParts& parts) {
    if (offset < 0 || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    const std::size_t end = static_cast<std::size_t>(offset) + size;
    if (end > Runner::kMostParameterBytes) return CUDA_ERROR_INVALID_VALUE;
    if (parts.parameters.size() < end) parts.parameters.resize(end);
    std::memcpy(parts.parameters.data() + offset, value, size);
    return CUDA_SUCCESS;
  });
}

CUresult launch_parts(CUfunction handle, int width, int height, CUstream stream) {
  LaunchParts parts;
  {
    const Reading call;
    if (call.error) return call.error;
    const Function* const function = Code::get().function(handle);
    if (function == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    parts = function->parts;
  }
  if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
  parts.parameters.resize(parts.parameter_bytes);
  std::size_t bytes = parts.parameters.size();
  void* packed[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, parts.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE,
                    &bytes, CU_LAUNCH_PARAM_END};
  const Shape shape{{static_cast<unsigned>(width), static_cast<unsigned>(height), 1},
                    {parts.block[0], parts.block[1], parts.block[2]},
                    parts.shared};
  Arguments arguments;
  if (bytes != 0) arguments.extra = packed;
  return launch(handle, shape, stream, arguments);
}

}  // namespace

// cuFuncSetBlockShape. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// INVALID_VALUE.
CUresult CUDAAPI cuFuncSetBlockShape(CUfunction handle, int x, int y, int z) {
  return change(handle, [&](LaunchParts& parts) {
    if (x <= 0 || y <= 0 || z <= 0) return CUDA_ERROR_INVALID_VALUE;
    parts.block = {static_cast<unsigned>(x), static_cast<unsigned>(y), static_cast<unsigned>(z)};
    return CUDA_SUCCESS;
  });
}

// cuFuncSetSharedSize. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// INVALID_VALUE.
CUresult CUDAAPI cuFuncSetSharedSize(CUfunction handle, unsigned int bytes) {
  return change(handle, [&](LaunchParts& parts) {
    parts.shared = bytes;
    return CUDA_SUCCESS;
  });
}

// cuParamSetSize. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuParamSetSize(CUfunction handle, unsigned int bytes) {
  return change(handle, [&](LaunchParts& parts) {
    if (bytes > Runner::kMostParameterBytes) return CUDA_ERROR_INVALID_VALUE;
    parts.parameter_bytes = bytes;
    return CUDA_SUCCESS;
  });
}

// cuParamSeti, cuParamSetf, cuParamSetv. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_VALUE.
CUresult CUDAAPI cuParamSeti(CUfunction handle, int offset, unsigned int value) {
  return set_parameter(handle, offset, &value, sizeof value);
}
CUresult CUDAAPI cuParamSetf(CUfunction handle, int offset, float value) {
  return set_parameter(handle, offset, &value, sizeof value);
}
CUresult CUDAAPI cuParamSetv(CUfunction handle, int offset, void* value, unsigned int bytes) {
  return set_parameter(handle, offset, value, bytes);
}

// cuLaunch, cuLaunchGrid, cuLaunchGridAsync. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_VALUE, LAUNCH_FAILED, LAUNCH_OUT_OF_RESOURCES, LAUNCH_TIMEOUT, LAUNCH_INCOMPATIBLE_TEXTURING,
// SHARED_OBJECT_INIT_FAILED; with a stream INVALID_HANDLE.
CUresult CUDAAPI cuLaunch(CUfunction handle) {
  return launch_parts(handle, 1, 1, CU_STREAM_LEGACY);
}
CUresult CUDAAPI cuLaunchGrid(CUfunction handle, int width, int height) {
  return launch_parts(handle, width, height, CU_STREAM_LEGACY);
}
CUresult CUDAAPI cuLaunchGridAsync(CUfunction handle, int width, int height, CUstream stream) {
  return launch_parts(handle, width, height, stream);
}

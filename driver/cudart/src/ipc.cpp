// SPDX-License-Identifier: MIT
// Memory and events of other processes.
//
// Handles are the driver's. What the driver does not support is not supported here, with the same error.
#include "runtime.hpp"

using namespace cudart;

// cudaIpcGetEventHandle. Errors: InvalidResourceHandle, MemoryAllocation, MapBufferObjectFailed,
// NotSupported, InvalidValue.
cudaError_t CUDARTAPI cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  return with_context([&] { return cuIpcGetEventHandle(same<CUipcEventHandle>(handle), event); });
}

// cudaIpcOpenEventHandle. Errors: MapBufferObjectFailed, NotSupported, InvalidValue, DeviceUninitialized.
cudaError_t CUDARTAPI cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  return with_context([&] { return cuIpcOpenEventHandle(event, *same<CUipcEventHandle>(&handle)); });
}

// cudaIpcGetMemHandle. Errors: MemoryAllocation, MapBufferObjectFailed, NotSupported, InvalidValue.
cudaError_t CUDARTAPI cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* pointer) {
  return with_context([&] { return cuIpcGetMemHandle(same<CUipcMemHandle>(handle), address_of(pointer)); });
}

// cudaIpcOpenMemHandle. Errors: MapBufferObjectFailed, InvalidResourceHandle, DeviceUninitialized,
// TooManyPeers, NotSupported, InvalidValue.
cudaError_t CUDARTAPI cudaIpcOpenMemHandle(void** pointer, cudaIpcMemHandle_t handle, unsigned int flags) {
  return with_context(
      [&] { return cuIpcOpenMemHandle(same<CUdeviceptr>(pointer), *same<CUipcMemHandle>(&handle), flags); });
}

// cudaIpcCloseMemHandle. Errors: MapBufferObjectFailed, NotSupported, InvalidValue.
cudaError_t CUDARTAPI cudaIpcCloseMemHandle(void* pointer) {
  return with_context([&] { return cuIpcCloseMemHandle(address_of(pointer)); });
}

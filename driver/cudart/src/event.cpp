// SPDX-License-Identifier: MIT
// The manual's chapter "Event Management", except for recording, which is in on_stream/stream.cpp.
//
// An event of the runtime is one of the driver. A call on a destroyed or made-up one returns what the driver
// returns.
#include "runtime.hpp"

using namespace cudart;

// cudaEventCreate. Errors: InvalidValue, LaunchFailure, MemoryAllocation.
cudaError_t CUDARTAPI cudaEventCreate(cudaEvent_t* event) {
  return with_context([&] { return cuEventCreate(event, CU_EVENT_DEFAULT); });
}

// cudaEventCreateWithFlags. Errors: InvalidValue, LaunchFailure, MemoryAllocation.
cudaError_t CUDARTAPI cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  return with_context([&] { return cuEventCreate(event, flags); });
}

// cudaEventQuery. Errors: NotReady, InvalidValue, InvalidResourceHandle, LaunchFailure.
cudaError_t CUDARTAPI cudaEventQuery(cudaEvent_t event) {
  return with_context([&] { return cuEventQuery(event); });
}

// cudaEventSynchronize. Errors: InvalidValue, InvalidResourceHandle, LaunchFailure.
cudaError_t CUDARTAPI cudaEventSynchronize(cudaEvent_t event) {
  return with_context([&] { return cuEventSynchronize(event); });
}

// cudaEventDestroy. Errors: InvalidValue, InvalidResourceHandle, LaunchFailure.
cudaError_t CUDARTAPI cudaEventDestroy(cudaEvent_t event) {
  return with_context([&] { return cuEventDestroy(event); });
}

// cudaEventElapsedTime. Errors: NotReady, InvalidValue, InvalidResourceHandle, LaunchFailure, Unknown.
cudaError_t CUDARTAPI cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return with_context([&] { return cuEventElapsedTime(milliseconds, start, end); });
}

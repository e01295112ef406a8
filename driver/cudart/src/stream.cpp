// SPDX-License-Identifier: MIT
// The manual's chapter "Stream Management": making and unmaking streams. What is done with one is
// on_stream/stream.cpp.
//
// A stream of the runtime is one of the driver.
#include "runtime.hpp"

using namespace cudart;

// cudaStreamCreate. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaStreamCreate(cudaStream_t* stream) {
  return with_context([&] { return cuStreamCreate(stream, CU_STREAM_DEFAULT); });
}

// cudaStreamCreateWithFlags. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return with_context([&] { return cuStreamCreate(stream, flags); });
}

// cudaStreamCreateWithPriority. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return with_context([&] { return cuStreamCreateWithPriority(stream, flags, priority); });
}

// cudaStreamDestroy. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamDestroy(cudaStream_t stream) {
  return with_context([&] { return cuStreamDestroy(stream); });
}

// cudaThreadExchangeStreamCaptureMode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return with_driver([&] { return cuThreadExchangeStreamCaptureMode(same<CUstreamCaptureMode>(mode)); });
}

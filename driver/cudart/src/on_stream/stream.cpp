// SPDX-License-Identifier: MIT
// The manual's chapter "Stream Management" for functions that take a stream, with capture; and recording of
// events.
//
// Compiled twice; see copy.cpp. Making streams is ../stream.cpp.
#include "runtime.hpp"

using namespace cudart;

// cudaStreamGetPriority. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_context([&] { return cuStreamGetPriority(stream, priority); });
}

// cudaStreamGetFlags. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return with_context([&] { return cuStreamGetFlags(stream, flags); });
}

// cudaStreamGetId. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return with_context([&] { return cuStreamGetId(stream, id); });
}

// cudaStreamGetDevice. Errors: InvalidValue, InvalidResourceHandle, DeviceUnavailable.
cudaError_t CUDARTAPI cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return with_context([&] { return cuStreamGetDevice(stream, device); });
}

// cudaStreamCopyAttributes. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from) {
  return with_context([&] { return cuStreamCopyAttributes(to, from); });
}

// cudaStreamGetAttribute. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                             cudaLaunchAttributeValue* value) {
  return with_context([&] {
    return cuStreamGetAttribute(stream, static_cast<CUlaunchAttributeID>(attribute),
                                same<CUlaunchAttributeValue>(value));
  });
}

// cudaStreamSetAttribute. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                             const cudaLaunchAttributeValue* value) {
  return with_context([&] {
    return cuStreamSetAttribute(stream, static_cast<CUlaunchAttributeID>(attribute),
                                same<const CUlaunchAttributeValue>(value));
  });
}

// cudaStreamWaitEvent. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int flags) {
  return with_context([&] { return cuStreamWaitEvent(stream, event, flags); });
}

// cudaStreamAddCallback. Errors: InvalidResourceHandle, InvalidValue, NotSupported. The callback is told the
// driver's error, which is the same number.
cudaError_t CUDARTAPI cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* data,
                                            unsigned int flags) {
  return with_context(
      [&] { return cuStreamAddCallback(stream, reinterpret_cast<CUstreamCallback>(callback), data, flags); });
}

// cudaStreamSynchronize. Errors: InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamSynchronize(cudaStream_t stream) {
  return with_context([&] { return cuStreamSynchronize(stream); });
}

// cudaStreamQuery. Errors: NotReady, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamQuery(cudaStream_t stream) {
  return with_context([&] { return cuStreamQuery(stream); });
}

// cudaStreamAttachMemAsync. Errors: NotReady, InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaStreamAttachMemAsync(cudaStream_t stream, void* pointer, size_t length,
                                               unsigned int flags) {
  return with_context([&] { return cuStreamAttachMemAsync(stream, address_of(pointer), length, flags); });
}

// cudaStreamBeginCapture. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode) {
  return with_context([&] { return cuStreamBeginCapture(stream, static_cast<CUstreamCaptureMode>(mode)); });
}

// cudaStreamBeginCaptureToGraph. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                                    const cudaGraphNode_t* dependencies,
                                                    const cudaGraphEdgeData* edges, size_t count,
                                                    cudaStreamCaptureMode mode) {
  return with_context([&] {
    return cuStreamBeginCaptureToGraph(stream, graph, dependencies, same<const CUgraphEdgeData>(edges), count,
                                       static_cast<CUstreamCaptureMode>(mode));
  });
}

// cudaStreamEndCapture. Errors: InvalidValue, StreamCaptureWrongThread.
cudaError_t CUDARTAPI cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return with_context([&] { return cuStreamEndCapture(stream, graph); });
}

// cudaStreamIsCapturing. Errors: InvalidValue, StreamCaptureImplicit.
cudaError_t CUDARTAPI cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return with_context([&] { return cuStreamIsCapturing(stream, same<CUstreamCaptureStatus>(status)); });
}

// cudaEventRecord. Errors: InvalidValue, InvalidResourceHandle, LaunchFailure.
cudaError_t CUDARTAPI cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return with_context([&] { return cuEventRecord(event, stream); });
}

// cudaEventRecordWithFlags. Errors: InvalidValue, InvalidResourceHandle, LaunchFailure.
cudaError_t CUDARTAPI cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  return with_context([&] { return cuEventRecordWithFlags(event, stream, flags); });
}

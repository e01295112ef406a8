// SPDX-License-Identifier: MIT
// Functions on a stream whose parameters CUDA 13 changed: prefetching by place, captures with data of edges.
//
// Compiled for both libraries, as ../changed.cpp, and twice for each; see ../../on_stream/copy.cpp.
#include "runtime.hpp"

using namespace cudart;

// cudaMemPrefetchAsync. Errors: InvalidValue, InvalidDevice.
cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void* pointer, size_t size, cudaMemLocation location,
                                           unsigned int flags, cudaStream_t stream) {
  return with_context([&] {
    return cuMemPrefetchAsync(address_of(pointer), size, *same<CUmemLocation>(&location), flags, stream);
  });
}

// cudaStreamGetCaptureInfo. Errors: InvalidValue, StreamCaptureImplicit, LossyQuery.
cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                               unsigned long long* id, cudaGraph_t* graph,
                                               const cudaGraphNode_t** dependencies,
                                               const cudaGraphEdgeData** edges, size_t* count) {
  static_assert(sizeof(unsigned long long) == sizeof(cuuint64_t));
  return with_context([&] {
    return cuStreamGetCaptureInfo(stream, same<CUstreamCaptureStatus>(status),
                                  reinterpret_cast<cuuint64_t*>(id), graph, dependencies,
                                  reinterpret_cast<const CUgraphEdgeData**>(edges), count);
  });
}

// cudaStreamUpdateCaptureDependencies. Errors: InvalidValue, IllegalState.
cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                          const cudaGraphEdgeData* edges, size_t count,
                                                          unsigned int flags) {
  return with_context([&] {
    return cuStreamUpdateCaptureDependencies(stream, dependencies, same<const CUgraphEdgeData>(edges), count,
                                             flags);
  });
}

// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Stream Management" about capture. Errors of all: DEINITIALIZED,
// NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, and those of capture, 900 to 908, as measured (truth
// capture).
#include <algorithm>

#include "core/capture.hpp"
#include "core/graph_call.hpp"
#include "core/log.hpp"
#include "core/per_thread_variants.hpp"

using namespace driver;

namespace {

bool known(CUstreamCaptureMode mode) {
  return mode >= CU_STREAM_CAPTURE_MODE_GLOBAL && mode <= CU_STREAM_CAPTURE_MODE_RELAXED;
}

CUresult begin(CUstream stream, CUstreamCaptureMode mode) {
  const Changing call;
  if (call.error) return call.error;
  if (!known(mode)) return CUDA_ERROR_INVALID_VALUE;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  return GraphCapture::begin(*queue, mode, nullptr, {});
}

// Into a graph that the program made, after some of its nodes.
CUresult begin_into(CUstream stream, CUgraph graph_handle, const CUgraphNode* dependencies,
                    const CUgraphEdgeData* data, std::size_t count, CUstreamCaptureMode mode) {
  const Changing call;
  if (call.error) return call.error;
  const std::lock_guard lock(Graphs::get().lock);
  Graph* const graph = Graphs::get().graph(graph_handle);
  std::vector<Node*> behind;
  if (!known(mode) || graph == nullptr || data != nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!find_nodes(*graph, dependencies, count, behind)) return CUDA_ERROR_INVALID_VALUE;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  return GraphCapture::begin(*queue, mode, graph, behind);
}

CUresult end(CUstream stream, CUgraph* graph) {
  const Changing call;
  if (call.error) return call.error;
  if (graph == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  auto* const capture = dynamic_cast<GraphCapture*>(queue->capture);
  // Steps 5 and 32.
  if (capture == nullptr) return refuse(CUDA_ERROR_ILLEGAL_STATE, "Stream is not actively capturing");
  *graph = nullptr;
  return capture->end(*queue, *graph);
}

struct Standing {
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
  GraphCapture* capture = nullptr;
  Queue* queue = nullptr;
};

CUresult look(const Reading& call, CUstream stream, Standing& standing) {
  if (call.error) return call.error;
  standing.queue = find_queue(stream, *call.context);
  if (standing.queue == nullptr) return no_stream(stream);
  if (standing.queue->capture == nullptr) return CUDA_SUCCESS;
  standing.capture = dynamic_cast<GraphCapture*>(standing.queue->capture);
  // The legacy stream while a blocking one is captured; asking spoils nothing (steps 8 and 9).
  if (standing.capture == nullptr) return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  standing.status =
      standing.capture->valid() ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  return CUDA_SUCCESS;
}

CUresult is_capturing(CUstream stream, CUstreamCaptureStatus* status) {
  const Reading call;
  Standing standing;
  if (const CUresult error = look(call, stream, standing)) return error;
  if (status == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *status = standing.status;
  return CUDA_SUCCESS;
}

CUresult info(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
              const CUgraphNode** dependencies, const CUgraphEdgeData** data, std::size_t* count) {
  const Reading call;
  Standing standing;
  if (const CUresult error = look(call, stream, standing)) return error;
  // Measured: edge data are given only beside the nodes that they belong to.
  if (status == nullptr || (data != nullptr && dependencies == nullptr)) return CUDA_ERROR_INVALID_VALUE;
  *status = standing.status;
  if (standing.status != CU_STREAM_CAPTURE_STATUS_ACTIVE) return CUDA_SUCCESS;
  const std::lock_guard lock(Graphs::get().lock);
  const auto& handles = standing.capture->handles_of(*standing.queue);
  if (id != nullptr) *id = standing.capture->id();
  if (graph != nullptr) *graph = standing.capture->graph();
  // Measured: null for none, in both lists.
  if (dependencies != nullptr) *dependencies = handles.empty() ? nullptr : handles.data();
  if (data != nullptr) *data = handles.empty() ? nullptr : standing.capture->edges_of_handles().data();
  if (count != nullptr) *count = handles.size();
  return CUDA_SUCCESS;
}

CUresult update_dependencies(CUstream stream, const CUgraphNode* dependencies, std::size_t count,
                             unsigned flags) {
  const Reading call;
  Standing standing;
  if (const CUresult error = look(call, stream, standing)) return error;
  if (standing.status == CU_STREAM_CAPTURE_STATUS_NONE) return CUDA_ERROR_ILLEGAL_STATE;
  if (flags > CU_STREAM_SET_CAPTURE_DEPENDENCIES) return CUDA_ERROR_INVALID_VALUE;
  Graphs& graphs = Graphs::get();
  const std::lock_guard lock(graphs.lock);
  std::vector<Node*> nodes;
  if (!find_nodes(*graphs.graph(standing.capture->graph()), dependencies, count, nodes)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::vector<Node*>& place = standing.capture->place_of(*standing.queue);
  if (flags == CU_STREAM_SET_CAPTURE_DEPENDENCIES) place.clear();
  for (Node* const node : nodes) {
    if (std::find(place.begin(), place.end(), node) == place.end()) place.push_back(node);
  }
  return CUDA_SUCCESS;
}

}  // namespace

// cuStreamBeginCapture; the first version had no mode and meant the global one.
ON_STREAM(cuStreamBeginCapture, (CUstream stream), begin(stream, CU_STREAM_CAPTURE_MODE_GLOBAL))
ON_STREAM(cuStreamBeginCapture_v2, (CUstream stream, CUstreamCaptureMode mode), begin(stream, mode))
ON_STREAM(cuStreamBeginCaptureToGraph,
          (CUstream stream, CUgraph graph, const CUgraphNode* dependencies, const CUgraphEdgeData* data,
           size_t count, CUstreamCaptureMode mode),
          begin_into(stream, graph, dependencies, data, count, mode))
ON_STREAM(cuStreamEndCapture, (CUstream stream, CUgraph* graph), end(stream, graph))
ON_STREAM(cuStreamIsCapturing, (CUstream stream, CUstreamCaptureStatus* status), is_capturing(stream, status))

// cuStreamGetCaptureInfo.
ON_STREAM(cuStreamGetCaptureInfo, (CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id),
          info(stream, status, id, nullptr, nullptr, nullptr, nullptr))
ON_STREAM(cuStreamGetCaptureInfo_v2,
          (CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
           const CUgraphNode** dependencies, size_t* count),
          info(stream, status, id, graph, dependencies, nullptr, count))
ON_STREAM(cuStreamGetCaptureInfo_v3,
          (CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
           const CUgraphNode** dependencies, const CUgraphEdgeData** data, size_t* count),
          info(stream, status, id, graph, dependencies, data, count))

// cuStreamUpdateCaptureDependencies.
ON_STREAM(cuStreamUpdateCaptureDependencies,
          (CUstream stream, CUgraphNode* dependencies, size_t count, unsigned int flags),
          update_dependencies(stream, dependencies, count, flags))
ON_STREAM(cuStreamUpdateCaptureDependencies_v2,
          (CUstream stream, CUgraphNode* dependencies, const CUgraphEdgeData*, size_t count,
           unsigned int flags),
          update_dependencies(stream, dependencies, count, flags))

CUresult CUDAAPI cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  if (const CUresult error = Driver::ready()) return error;
  if (mode == nullptr || !known(*mode)) return CUDA_ERROR_INVALID_VALUE;
  *mode = exchange_capture_mode(*mode);
  return CUDA_SUCCESS;
}

// SPDX-License-Identifier: MIT
// Functions whose parameters CUDA 13 changed: advice about managed memory by place, dependencies with data.
//
// Compiled for both libraries. libcudart.so.12 has them by the names that CUDA 12 gave them
// (for_12/renamed.hpp), beside the older forms under the plain names (for_12/changed.cpp).
#include "node_parameters.hpp"

using namespace cudart;

// cudaMemAdvise. Errors: InvalidValue, InvalidDevice.
cudaError_t CUDARTAPI cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice,
                                    cudaMemLocation location) {
  return with_context([&] {
    return cuMemAdvise(address_of(pointer), size, static_cast<CUmem_advise>(advice),
                       *same<CUmemLocation>(&location));
  });
}

// cudaGraphGetEdges. Errors: LossyQuery, InvalidValue.
cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                        cudaGraphEdgeData* edges, size_t* count) {
  return with_context([&] { return cuGraphGetEdges(graph, from, to, same<CUgraphEdgeData>(edges), count); });
}

// cudaGraphNodeGetDependencies. Errors: LossyQuery, InvalidValue.
cudaError_t CUDARTAPI cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                                   cudaGraphEdgeData* edges, size_t* count) {
  return with_context(
      [&] { return cuGraphNodeGetDependencies(node, dependencies, same<CUgraphEdgeData>(edges), count); });
}

// cudaGraphNodeGetDependentNodes. Errors: LossyQuery, InvalidValue.
cudaError_t CUDARTAPI cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                                     cudaGraphEdgeData* edges, size_t* count) {
  return with_context(
      [&] { return cuGraphNodeGetDependentNodes(node, dependents, same<CUgraphEdgeData>(edges), count); });
}

// cudaGraphAddDependencies. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                               const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                               size_t count) {
  return with_context(
      [&] { return cuGraphAddDependencies(graph, from, to, same<const CUgraphEdgeData>(edges), count); });
}

// cudaGraphRemoveDependencies. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                                  const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                                  size_t count) {
  return with_context(
      [&] { return cuGraphRemoveDependencies(graph, from, to, same<const CUgraphEdgeData>(edges), count); });
}

// cudaGraphAddNode. Errors: InvalidValue, InvalidDeviceFunction, NotSupported.
cudaError_t CUDARTAPI cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                       const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                       size_t count, cudaGraphNodeParams* given) {
  return with_context([&] {
    CUgraphNodeParams parameters;
    if (const CUresult error = drivers_form(given, parameters)) return error;
    const CUresult error =
        cuGraphAddNode(node, graph, dependencies, same<const CUgraphEdgeData>(edges), count, &parameters);
    if (error == CUDA_SUCCESS) tell_address(parameters, *given);
    return error;
  });
}

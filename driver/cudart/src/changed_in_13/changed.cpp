// SPDX-License-Identifier: MIT
// Functions whose parameters CUDA 13 changed: advice about managed memory by place, dependencies with data.
//
// Compiled for both libraries. libcudart.so.12 has them by the names that CUDA 12 gave them
// (for_12/renamed.hpp), beside the older forms under the plain names (for_12/changed.cpp).
#include "node_parameters.hpp"

using namespace cudart;

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

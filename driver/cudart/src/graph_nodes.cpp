// SPDX-License-Identifier: MIT
// Nodes of graphs that launch a kernel, which is something else for the driver.
//
// Nodes that copy or fill are in graph_memory_nodes.cpp; all others are the driver's own.
#include "node_parameters.hpp"

using namespace cudart;

namespace {

template <typename Call>
cudaError_t with_kernel(const cudaKernelNodeParams* given, Call call) {
  return with_context([&] {
    if (given == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS parameters;
    const CUresult error = take_kernel(*given, parameters);
    return error != CUDA_SUCCESS ? error : call(parameters);
  });
}

}  // namespace

// cudaGraphAddKernelNode. Errors: InvalidValue, InvalidDeviceFunction.
cudaError_t CUDARTAPI cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                             const cudaGraphNode_t* dependencies, size_t count,
                                             const cudaKernelNodeParams* given) {
  return with_kernel(given, [&](const CUDA_KERNEL_NODE_PARAMS& parameters) {
    return cuGraphAddKernelNode(node, graph, dependencies, count, &parameters);
  });
}

// cudaGraphKernelNodeGetParams. Errors: InvalidValue, InvalidDeviceFunction. The result has the kernel as
// it was passed.
cudaError_t CUDARTAPI cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* answer_to) {
  return with_context([&] {
    if (answer_to == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_KERNEL_NODE_PARAMS parameters = {};
    if (const CUresult error = cuGraphKernelNodeGetParams(node, &parameters)) return error;
    *answer_to = {.func = const_cast<void*>(host_of(parameters.kern)),
                  .gridDim = dim3(parameters.gridDimX, parameters.gridDimY, parameters.gridDimZ),
                  .blockDim = dim3(parameters.blockDimX, parameters.blockDimY, parameters.blockDimZ),
                  .sharedMemBytes = parameters.sharedMemBytes,
                  .kernelParams = parameters.kernelParams,
                  .extra = parameters.extra};
    return answer_to->func == nullptr ? kInvalidDeviceFunction : CUDA_SUCCESS;
  });
}

// cudaGraphKernelNodeSetParams. Errors: InvalidValue, InvalidResourceHandle, MemoryAllocation.
cudaError_t CUDARTAPI cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* given) {
  return with_kernel(given, [&](const CUDA_KERNEL_NODE_PARAMS& parameters) {
    return cuGraphKernelNodeSetParams(node, &parameters);
  });
}

// cudaGraphExecKernelNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                       const cudaKernelNodeParams* given) {
  return with_kernel(given, [&](const CUDA_KERNEL_NODE_PARAMS& parameters) {
    return cuGraphExecKernelNodeSetParams(executable, node, &parameters);
  });
}

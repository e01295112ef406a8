// SPDX-License-Identifier: MIT
// Nodes of graphs: kernels, host functions, events, other graphs; what they do and how they are changed.
//
// The driver has the same nodes; only a kernel is something else there. Nodes that copy, fill or allocate are
// in graph_memory_nodes.cpp.
#include "code.hpp"

using namespace cudart;

namespace {

CUresult drivers_form(const cudaKernelNodeParams* given, CUDA_KERNEL_NODE_PARAMS& parameters) {
  if (given == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUkernel kernel = nullptr;
  if (const CUresult error = find_kernel(given->func, kernel)) return error;
  parameters = {.func = nullptr,
                .gridDimX = given->gridDim.x,
                .gridDimY = given->gridDim.y,
                .gridDimZ = given->gridDim.z,
                .blockDimX = given->blockDim.x,
                .blockDimY = given->blockDim.y,
                .blockDimZ = given->blockDim.z,
                .sharedMemBytes = given->sharedMemBytes,
                .kernelParams = given->kernelParams,
                .extra = given->extra,
                .kern = kernel,
                .ctx = nullptr};
  return CUDA_SUCCESS;
}

template <typename Call>
cudaError_t with_kernel(const cudaKernelNodeParams* given, Call call) {
  return with_context([&] {
    CUDA_KERNEL_NODE_PARAMS parameters;
    const CUresult error = drivers_form(given, parameters);
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

// cudaGraphKernelNodeGetParams. Errors: InvalidValue, InvalidDeviceFunction. The kernel is told as it was
// given.
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
    return answer_to->func == nullptr ? invalid_device_function : CUDA_SUCCESS;
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

// cudaGraphKernelNodeCopyAttributes. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return with_context([&] { return cuGraphKernelNodeCopyAttributes(to, from); });
}

// cudaGraphKernelNodeGetAttribute. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                                      cudaLaunchAttributeValue* value) {
  return with_context([&] {
    return cuGraphKernelNodeGetAttribute(node, static_cast<CUlaunchAttributeID>(attribute),
                                         same<CUlaunchAttributeValue>(value));
  });
}

// cudaGraphKernelNodeSetAttribute. Errors: InvalidValue, InvalidResourceHandle.
cudaError_t CUDARTAPI cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                                      const cudaLaunchAttributeValue* value) {
  return with_context([&] {
    return cuGraphKernelNodeSetAttribute(node, static_cast<CUlaunchAttributeID>(attribute),
                                         same<const CUlaunchAttributeValue>(value));
  });
}

// cudaGraphAddHostNode. Errors: InvalidValue, NotSupported.
cudaError_t CUDARTAPI cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                           const cudaGraphNode_t* dependencies, size_t count,
                                           const cudaHostNodeParams* given) {
  return with_context([&] {
    return cuGraphAddHostNode(node, graph, dependencies, count, same<const CUDA_HOST_NODE_PARAMS>(given));
  });
}

// cudaGraphHostNodeGetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* answer_to) {
  return with_context([&] { return cuGraphHostNodeGetParams(node, same<CUDA_HOST_NODE_PARAMS>(answer_to)); });
}

// cudaGraphHostNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* given) {
  return with_context(
      [&] { return cuGraphHostNodeSetParams(node, same<const CUDA_HOST_NODE_PARAMS>(given)); });
}

// cudaGraphExecHostNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                     const cudaHostNodeParams* given) {
  return with_context([&] {
    return cuGraphExecHostNodeSetParams(executable, node, same<const CUDA_HOST_NODE_PARAMS>(given));
  });
}

// cudaGraphAddEmptyNode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                            const cudaGraphNode_t* dependencies, size_t count) {
  return with_context([&] { return cuGraphAddEmptyNode(node, graph, dependencies, count); });
}

// cudaGraphAddChildGraphNode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                 const cudaGraphNode_t* dependencies, size_t count,
                                                 cudaGraph_t child) {
  return with_context([&] { return cuGraphAddChildGraphNode(node, graph, dependencies, count, child); });
}

// cudaGraphChildGraphNodeGetGraph. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* graph) {
  return with_context([&] { return cuGraphChildGraphNodeGetGraph(node, graph); });
}

// cudaGraphExecChildGraphNodeSetParams. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                           cudaGraph_t child) {
  return with_context([&] { return cuGraphExecChildGraphNodeSetParams(executable, node, child); });
}

// cudaGraphAddEventRecordNode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddEventRecordNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                  const cudaGraphNode_t* dependencies, size_t count,
                                                  cudaEvent_t event) {
  return with_context([&] { return cuGraphAddEventRecordNode(node, graph, dependencies, count, event); });
}

// cudaGraphEventRecordNodeGetEvent. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return with_context([&] { return cuGraphEventRecordNodeGetEvent(node, event); });
}

// cudaGraphEventRecordNodeSetEvent. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return with_context([&] { return cuGraphEventRecordNodeSetEvent(node, event); });
}

// cudaGraphExecEventRecordNodeSetEvent. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                           cudaEvent_t event) {
  return with_context([&] { return cuGraphExecEventRecordNodeSetEvent(executable, node, event); });
}

// cudaGraphAddEventWaitNode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphAddEventWaitNode(cudaGraphNode_t* node, cudaGraph_t graph,
                                                const cudaGraphNode_t* dependencies, size_t count,
                                                cudaEvent_t event) {
  return with_context([&] { return cuGraphAddEventWaitNode(node, graph, dependencies, count, event); });
}

// cudaGraphEventWaitNodeGetEvent. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* event) {
  return with_context([&] { return cuGraphEventWaitNodeGetEvent(node, event); });
}

// cudaGraphEventWaitNodeSetEvent. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return with_context([&] { return cuGraphEventWaitNodeSetEvent(node, event); });
}

// cudaGraphExecEventWaitNodeSetEvent. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                         cudaEvent_t event) {
  return with_context([&] { return cuGraphExecEventWaitNodeSetEvent(executable, node, event); });
}

// cudaGraphNodeSetEnabled. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphNodeSetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                              unsigned int enabled) {
  return with_context([&] { return cuGraphNodeSetEnabled(executable, node, enabled); });
}

// cudaGraphNodeGetEnabled. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphNodeGetEnabled(cudaGraphExec_t executable, cudaGraphNode_t node,
                                              unsigned int* enabled) {
  return with_context([&] { return cuGraphNodeGetEnabled(executable, node, enabled); });
}

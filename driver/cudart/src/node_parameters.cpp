// SPDX-License-Identifier: MIT
// One struct for nodes of every kind: its translation to the driver's struct, and the calls that take it.
//
// Parameters that are the same in the driver are copied as they are. Those of kernels, copies and fills also
// contain a context or a kernel there.
#include "node_parameters.hpp"

#include <cstring>

#include "shapes.hpp"

using namespace cudart;

namespace {

template <class To, class From>
CUresult take(To& to, const From& from) {
  static_assert(sizeof(To) >= sizeof(From));
  std::memcpy(&to, &from, sizeof from);
  return CUDA_SUCCESS;
}

}  // namespace

CUresult cudart::drivers_form(const cudaGraphNodeParams* given, CUgraphNodeParams& parameters) {
  if (given == nullptr) return CUDA_ERROR_INVALID_VALUE;
  parameters = {};
  parameters.type = static_cast<CUgraphNodeType>(given->type);
  switch (given->type) {
    case cudaGraphNodeTypeKernel:
      return take_kernel(given->kernel, parameters.kernel);
    case cudaGraphNodeTypeMemcpy:
      if (const CUresult error = shape_of(&given->memcpy.copyParams, parameters.memcpy.copyParams))
        return error;
      return cuCtxGetCurrent(&parameters.memcpy.copyCtx);
    case cudaGraphNodeTypeMemset:
      take(parameters.memset, given->memset);
      return cuCtxGetCurrent(&parameters.memset.ctx);
    case cudaGraphNodeTypeHost:
      return take(parameters.host, given->host);
    case cudaGraphNodeTypeGraph:
      return take(parameters.graph, given->graph);
    case cudaGraphNodeTypeEmpty:
      return CUDA_SUCCESS;
    case cudaGraphNodeTypeWaitEvent:
      return take(parameters.eventWait, given->eventWait);
    case cudaGraphNodeTypeEventRecord:
      return take(parameters.eventRecord, given->eventRecord);
    case cudaGraphNodeTypeMemAlloc:
      return take(parameters.alloc, given->alloc);
    case cudaGraphNodeTypeMemFree:
      return take(parameters.free, given->free);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

void cudart::tell_address(const CUgraphNodeParams& parameters, cudaGraphNodeParams& given) {
  if (given.type == cudaGraphNodeTypeMemAlloc)
    given.alloc.dptr = reinterpret_cast<void*>(parameters.alloc.dptr);
}

// cudaGraphNodeSetParams. Errors: InvalidValue, InvalidDeviceFunction, NotSupported.
cudaError_t CUDARTAPI cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* given) {
  return with_context([&] {
    CUgraphNodeParams parameters;
    const CUresult error = drivers_form(given, parameters);
    return error != CUDA_SUCCESS ? error : cuGraphNodeSetParams(node, &parameters);
  });
}

// cudaGraphExecNodeSetParams. Errors: InvalidValue, InvalidDeviceFunction, NotSupported.
cudaError_t CUDARTAPI cudaGraphExecNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                                 cudaGraphNodeParams* given) {
  return with_context([&] {
    CUgraphNodeParams parameters;
    const CUresult error = drivers_form(given, parameters);
    return error != CUDA_SUCCESS ? error : cuGraphExecNodeSetParams(executable, node, &parameters);
  });
}

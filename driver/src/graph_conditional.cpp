// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Graph Management" about conditional nodes: their handles. The nodes
// themselves are added by cuGraphAddNode.
#include "core/conditional.hpp"
#include "core/graph_call.hpp"

using namespace driver;

// cuGraphConditionalHandleCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, NOT_SUPPORTED.
// Measured: the context has to be said (201), and need not be current.
CUresult CUDAAPI cuGraphConditionalHandleCreate(CUgraphConditionalHandle* handle, CUgraph graph_handle,
                                                CUcontext context_handle, unsigned int initial,
                                                unsigned int flags) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  Graph* const graph = call.graphs.graph(graph_handle);
  if (handle == nullptr || graph == nullptr || flags > CU_GRAPH_COND_ASSIGN_DEFAULT)
    return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult error = given_context(context_handle, context)) return error;
  std::shared_ptr<ConditionalValue> value;
  graph->values.reserve(graph->values.size() + 1);
  if (const CUresult failed = ConditionalValue::create(*context, initial, flags, value)) return failed;
  *handle = value->handle();
  graph->values.push_back(std::move(value));
  return CUDA_SUCCESS;
}

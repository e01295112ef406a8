// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Graph Management": adding nodes, reading and changing them.
//
// Each turns its own struct into CUgraphNodeParams; what is checked is in core/graph_node.cpp. Errors of all:
// DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE; of those for kernels also the errors of a launch.
#include "core/graph_node.hpp"

#include <algorithm>
#include <string>
#include <type_traits>

#include "core/graph_call.hpp"
#include "core/log.hpp"

using namespace driver;

namespace {

// A node keeps its kind, and memory its place. Measured: nodes that allocate or choose cannot be changed
// (801).
CUresult can_become(const Node& node, const CUgraphNodeParams& parameters) {
  if (node.type() != parameters.type || parameters.type == CU_GRAPH_NODE_TYPE_MEM_FREE)
    return CUDA_ERROR_INVALID_VALUE;
  const bool fixed =
      parameters.type == CU_GRAPH_NODE_TYPE_MEM_ALLOC || parameters.type == CU_GRAPH_NODE_TYPE_CONDITIONAL;
  return fixed ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

// Changing the parameters of a kernel leaves its attributes as they are. Clusters that no attribute asks for
// are those that the kernel requires, so another kernel has its own.
void keep_attributes(const Work& before, Work& after) {
  const auto* const old = std::get_if<KernelWork>(&before);
  auto* const fresh = std::get_if<KernelWork>(&after);
  if (old == nullptr || fresh == nullptr) return;
  fresh->attributes = old->attributes;
  fresh->launch.cooperative = old->launch.cooperative;
  const auto& asked = old->attributes.cluster;
  if (std::count(std::begin(asked), std::end(asked), 0U) != 0) return;
  fresh->launch.cluster = old->launch.cluster;
  fresh->launch.explicit_cluster = old->launch.explicit_cluster;
}

// As far as it was measured: of these two kinds.
CUresult other_kind(CUgraphNodeType wanted) {
  if (wanted == CU_GRAPH_NODE_TYPE_KERNEL)
    return refuse(CUDA_ERROR_INVALID_VALUE, "Node is not a kernel node");
  if (wanted == CU_GRAPH_NODE_TYPE_BATCH_MEM_OP)
    return refuse(CUDA_ERROR_INVALID_VALUE, "Node is not a batch memory operation node");
  return CUDA_ERROR_INVALID_VALUE;
}

template <typename Give>
CUresult get(CUgraphNode handle, CUgraphNodeType type, bool wanted, Give give) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  Node* const node = call.graphs.node(handle);
  if (!wanted) return refuse(CUDA_ERROR_INVALID_VALUE, "params_out cannot be NULL");
  if (node == nullptr) return no_node(handle);
  if (node->type() != type) return other_kind(type);
  CUgraphNodeParams parameters{};
  parameters.type = type;
  if (const CUresult error = parameters_of(*node, parameters)) return error;
  give(parameters);
  return CUDA_SUCCESS;
}

// The versions of a kernel's parameters differ in what comes last.
template <typename Said>
CUgraphNodeParams as_parameters(const Said& said) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_KERNEL;
  result.kernel = {said.func,         said.gridDimX,  said.gridDimY,  said.gridDimZ,
                   said.blockDimX,    said.blockDimY, said.blockDimZ, said.sharedMemBytes,
                   said.kernelParams, said.extra,     nullptr,        nullptr};
  if constexpr (std::is_same_v<Said, CUDA_KERNEL_NODE_PARAMS_v2>) {
    result.kernel.kern = said.kern;
    result.kernel.ctx = said.ctx;
  }
  return result;
}

template <typename Said>
void give_kernel(const CUDA_KERNEL_NODE_PARAMS_v3& kernel, Said* said) {
  *said = {};
  said->func = kernel.func;
  said->gridDimX = kernel.gridDimX;
  said->gridDimY = kernel.gridDimY;
  said->gridDimZ = kernel.gridDimZ;
  said->blockDimX = kernel.blockDimX;
  said->blockDimY = kernel.blockDimY;
  said->blockDimZ = kernel.blockDimZ;
  said->sharedMemBytes = kernel.sharedMemBytes;
  said->kernelParams = kernel.kernelParams;
  if constexpr (std::is_same_v<Said, CUDA_KERNEL_NODE_PARAMS_v2>) {
    said->kern = kernel.kern;
    said->ctx = kernel.ctx;
  }
}

CUgraphNodeParams as_parameters(const CUDA_MEMCPY3D& shape, CUcontext context) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  result.memcpy.copyParams = shape;
  result.memcpy.copyCtx = context;
  return result;
}

CUgraphNodeParams as_parameters(const CUDA_MEMSET_NODE_PARAMS& shape, CUcontext context) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_MEMSET;
  result.memset = {shape.dst,   shape.pitch,  shape.value, shape.elementSize,
                   shape.width, shape.height, context};
  return result;
}

CUgraphNodeParams as_parameters(const CUDA_HOST_NODE_PARAMS& host) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_HOST;
  result.host = {host.fn, host.userData};
  return result;
}

CUgraphNodeParams as_parameters(CUgraph graph) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_GRAPH;
  result.graph.graph = graph;
  return result;
}

CUgraphNodeParams as_parameters(CUevent event, CUgraphNodeType type) {
  CUgraphNodeParams result{};
  result.type = type;
  if (type == CU_GRAPH_NODE_TYPE_EVENT_RECORD) {
    result.eventRecord.event = event;
  } else {
    result.eventWait.event = event;
  }
  return result;
}

CUgraphNodeParams as_parameters(const CUDA_BATCH_MEM_OP_NODE_PARAMS& words) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_BATCH_MEM_OP;
  result.memOp = {words.ctx, words.count, words.paramArray, words.flags};
  return result;
}

CUgraphNodeParams as_parameters(const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS& said) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL;
  result.extSemSignal = {said.extSemArray, said.paramsArray, said.numExtSems};
  return result;
}

CUgraphNodeParams as_parameters(const CUDA_EXT_SEM_WAIT_NODE_PARAMS& said) {
  CUgraphNodeParams result{};
  result.type = CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT;
  result.extSemWait = {said.extSemArray, said.paramsArray, said.numExtSems};
  return result;
}

CUcontext context_of(CUgraphNode handle) {
  const OnGraphs call;
  const Node* const node = call.error == CUDA_SUCCESS ? call.graphs.node(handle) : nullptr;
  if (node == nullptr) return nullptr;
  if (const auto* copy = std::get_if<CopyWork>(&node->work)) return copy->context->handle();
  if (const auto* fill = std::get_if<FillWork>(&node->work)) return fill->context->handle();
  return nullptr;
}

}  // namespace

CUresult driver::add_node(CUgraphNode* handle, CUgraph graph_handle, const CUgraphNode* dependencies,
                          std::size_t count, CUgraphNodeParams& parameters) {
  if (const CUresult error = Driver::ready()) return error;
  {
    const OnGraphs call;
    if (call.error) return call.error;
    const Graph* const graph = call.graphs.graph(graph_handle);
    std::vector<Node*> behind;
    if (handle == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "Node pointer cannot be NULL");
    if (graph == nullptr) return no_graph(graph_handle, "hGraph");
    if (dependencies == nullptr && count != 0)
      return refuse(CUDA_ERROR_INVALID_VALUE,
                    "Dependencies pointer is NULL with a non-zero numDependencies value");
    if (!find_nodes(*graph, dependencies, count, behind)) return CUDA_ERROR_INVALID_VALUE;
  }
  Work work;
  if (const CUresult error = work_of(parameters, work)) return error;
  const ChangingGraphs call;
  if (call.error) return call.error;
  Graph* const graph = call.graphs.graph(graph_handle);
  std::vector<Node*> behind;
  if (graph == nullptr || !find_nodes(*graph, dependencies, count, behind)) return CUDA_ERROR_INVALID_VALUE;
  auto* const free = std::get_if<FreeWork>(&work);
  if (free != nullptr && !graph->prepare_free(*free)) return CUDA_ERROR_INVALID_VALUE;
  const auto* const choice = std::get_if<ConditionalWork>(&work);
  if (choice != nullptr) {
    const auto& value = choice->conditional->value;
    // Measured: a handle is good for one node of the graph that it was made for.
    const bool own = std::find(graph->values.begin(), graph->values.end(), value) != graph->values.end();
    if (!own || value->used) return CUDA_ERROR_INVALID_VALUE;
    parameters.conditional.phGraph_out = choice->conditional->handles.data();
    value->used = true;
    // Measured: as long as nothing sets its value, a switch runs nothing.
    if (choice->conditional->type == CU_GRAPH_COND_TYPE_SWITCH) *value->word() = ~std::uint32_t{0};
  }
  *handle = graph->add(std::move(work), behind).handle();
  return CUDA_SUCCESS;
}

CUresult driver::set_node(CUgraphNode handle, CUgraphNodeParams& parameters) {
  if (const CUresult error = Driver::ready()) return error;
  Work work;
  {
    const OnGraphs call;
    if (call.error) return call.error;
    const Node* const node = call.graphs.node(handle);
    if (node == nullptr) return no_node(handle);
    if (node->type() != parameters.type) return other_kind(parameters.type);
    if (const CUresult error = can_become(*node, parameters)) return error;
  }
  if (const CUresult error = work_of(parameters, work)) return error;
  const ChangingGraphs call;
  if (call.error) return call.error;
  Node* const node = call.graphs.node(handle);
  if (node == nullptr) return CUDA_ERROR_INVALID_VALUE;
  keep_attributes(node->work, work);
  node->work = std::move(work);
  return CUDA_SUCCESS;
}

// In an executable, of which the node's own graph was the pattern.
CUresult driver::set_node_in(CUgraphExec executable_handle, CUgraphNode handle,
                             CUgraphNodeParams& parameters) {
  if (const CUresult error = Driver::ready()) return error;
  const auto find = [&](const auto& call) -> Node* {
    const Executable* const executable = call.graphs.executable(executable_handle);
    const Node* const node = call.graphs.node(handle);
    return executable != nullptr && node != nullptr ? executable->graph->find_copy(node->number) : nullptr;
  };
  {
    const OnGraphs call;
    if (call.error) return call.error;
    const Node* const copy = find(call);
    if (call.graphs.executable(executable_handle) == nullptr) return no_executable();
    if (copy == nullptr) return no_node(handle);
    if (copy->type() != parameters.type)
      return refuse(CUDA_ERROR_INVALID_VALUE, "Node type " + std::to_string(copy->type()) +
                                                  " does not match the expected value " +
                                                  std::to_string(parameters.type));
    if (const CUresult error = can_become(*copy, parameters)) return error;
  }
  Work work;
  if (const CUresult error = work_of(parameters, work)) return error;
  const ChangingGraphs call;
  if (call.error) return call.error;
  Node* const copy = find(call);
  if (copy == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const auto* child = std::get_if<ChildWork>(&work)) {
    CUgraphNode culprit = nullptr;
    Graph& mine = *std::get<ChildWork>(copy->work).graph;
    return mine.take_over(*child->graph, culprit) == CU_GRAPH_EXEC_UPDATE_SUCCESS ? CUDA_SUCCESS
                                                                                  : CUDA_ERROR_INVALID_VALUE;
  }
  if (const auto* words = std::get_if<WordWork>(&work)) {
    if (const std::string reason = words->difference_from(std::get<WordWork>(copy->work)); !reason.empty())
      return refuse(CUDA_ERROR_INVALID_VALUE, reason);
  }
  const auto* const fill = std::get_if<FillWork>(&work);
  if (fill != nullptr && !can_replace(std::get<FillWork>(copy->work), *fill)) return CUDA_ERROR_INVALID_VALUE;
  keep_attributes(copy->work, work);
  copy->work = std::move(work);
  return CUDA_SUCCESS;
}

namespace {

// Measured: without a reason for kernels (truth logs_graph, step 29).
template <typename Said>
CUresult no_parameters() {
  return std::is_same_v<Said, CUDA_BATCH_MEM_OP_NODE_PARAMS>
             ? refuse(CUDA_ERROR_INVALID_VALUE, "Node parameters cannot be NULL")
             : CUDA_ERROR_INVALID_VALUE;
}

// What a call says in a struct of its own kind or by a handle, and what it says beside that: the context, or
// the kind of node.
template <typename Said, typename... Beside>
CUresult add_said(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies, std::size_t count,
                  const Said* said, Beside... beside) {
  if (said == nullptr) return no_parameters<Said>();
  CUgraphNodeParams parameters = as_parameters(*said, beside...);
  return add_node(node, graph, dependencies, count, parameters);
}

template <typename Said, typename... Beside>
CUresult set_said(CUgraphNode node, const Said* said, Beside... beside) {
  if (said == nullptr) return no_parameters<Said>();
  CUgraphNodeParams parameters = as_parameters(*said, beside...);
  return set_node(node, parameters);
}

template <typename Said, typename... Beside>
CUresult set_said_in(CUgraphExec executable, CUgraphNode node, const Said* said, Beside... beside) {
  if (said == nullptr) return no_parameters<Said>();
  CUgraphNodeParams parameters = as_parameters(*said, beside...);
  return set_node_in(executable, node, parameters);
}

}  // namespace

CUresult CUDAAPI cuGraphAddEmptyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                     size_t count) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_EMPTY;
  return add_node(node, graph, dependencies, count, parameters);
}

// cuGraphAddKernelNode. The arguments are copied now.
CUresult CUDAAPI cuGraphAddKernelNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                      size_t count, const CUDA_KERNEL_NODE_PARAMS_v1* said) {
  return add_said(node, graph, dependencies, count, said);
}

// cuGraphKernelNodeGetParams. The addresses of the arguments are good until the node is changed.
CUresult CUDAAPI cuGraphKernelNodeGetParams(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS_v1* said) {
  return get(node, CU_GRAPH_NODE_TYPE_KERNEL, said != nullptr,
             [said](const CUgraphNodeParams& found) { give_kernel(found.kernel, said); });
}

CUresult CUDAAPI cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS_v1* said) {
  return set_said(node, said);
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                                const CUDA_KERNEL_NODE_PARAMS_v1* said) {
  return set_said_in(executable, node, said);
}

CUresult CUDAAPI cuGraphAddKernelNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                         size_t count, const CUDA_KERNEL_NODE_PARAMS* said) {
  return add_said(node, graph, dependencies, count, said);
}

CUresult CUDAAPI cuGraphKernelNodeGetParams_v2(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS* said) {
  return get(node, CU_GRAPH_NODE_TYPE_KERNEL, said != nullptr,
             [said](const CUgraphNodeParams& found) { give_kernel(found.kernel, said); });
}

CUresult CUDAAPI cuGraphKernelNodeSetParams_v2(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* said) {
  return set_said(node, said);
}

CUresult CUDAAPI cuGraphExecKernelNodeSetParams_v2(CUgraphExec executable, CUgraphNode node,
                                                   const CUDA_KERNEL_NODE_PARAMS* said) {
  return set_said_in(executable, node, said);
}

CUresult CUDAAPI cuGraphAddMemcpyNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                      size_t count, const CUDA_MEMCPY3D* said, CUcontext context) {
  return add_said(node, graph, dependencies, count, said, context);
}

CUresult CUDAAPI cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* said) {
  return get(node, CU_GRAPH_NODE_TYPE_MEMCPY, said != nullptr,
             [said](const CUgraphNodeParams& found) { *said = found.memcpy.copyParams; });
}

// cuGraphMemcpyNodeSetParams. In the context that the node was made for.
CUresult CUDAAPI cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* said) {
  return set_said(node, said, context_of(node));
}

CUresult CUDAAPI cuGraphExecMemcpyNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                                const CUDA_MEMCPY3D* said, CUcontext context) {
  return set_said_in(executable, node, said, context);
}

CUresult CUDAAPI cuGraphAddMemsetNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                      size_t count, const CUDA_MEMSET_NODE_PARAMS* said, CUcontext context) {
  return add_said(node, graph, dependencies, count, said, context);
}

CUresult CUDAAPI cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* said) {
  return get(node, CU_GRAPH_NODE_TYPE_MEMSET, said != nullptr, [said](const CUgraphNodeParams& found) {
    const auto& shape = found.memset;
    *said = {shape.dst, shape.pitch, shape.value, shape.elementSize, shape.width, shape.height};
  });
}

// cuGraphMemsetNodeSetParams. In the context that the node was made for.
CUresult CUDAAPI cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* said) {
  return set_said(node, said, context_of(node));
}

CUresult CUDAAPI cuGraphExecMemsetNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                                const CUDA_MEMSET_NODE_PARAMS* said, CUcontext context) {
  return set_said_in(executable, node, said, context);
}

CUresult CUDAAPI cuGraphAddHostNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                    size_t count, const CUDA_HOST_NODE_PARAMS* said) {
  return add_said(node, graph, dependencies, count, said);
}

CUresult CUDAAPI cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* said) {
  return get(node, CU_GRAPH_NODE_TYPE_HOST, said != nullptr,
             [said](const CUgraphNodeParams& found) { *said = {found.host.fn, found.host.userData}; });
}

CUresult CUDAAPI cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* said) {
  return set_said(node, said);
}

CUresult CUDAAPI cuGraphExecHostNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                              const CUDA_HOST_NODE_PARAMS* said) {
  return set_said_in(executable, node, said);
}

// cuGraphAddChildGraphNode. The child is copied.
CUresult CUDAAPI cuGraphAddChildGraphNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                          size_t count, CUgraph child) {
  return add_said(node, graph, dependencies, count, &child);
}

// cuGraphChildGraphNodeGetGraph. It belongs to the node.
CUresult CUDAAPI cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* graph) {
  return get(node, CU_GRAPH_NODE_TYPE_GRAPH, graph != nullptr,
             [graph](const CUgraphNodeParams& found) { *graph = found.graph.graph; });
}

CUresult CUDAAPI cuGraphExecChildGraphNodeSetParams(CUgraphExec executable, CUgraphNode node, CUgraph child) {
  return set_said_in(executable, node, &child);
}

CUresult CUDAAPI cuGraphAddEventRecordNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                           size_t count, CUevent event) {
  return add_said(node, graph, dependencies, count, &event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}

CUresult CUDAAPI cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* event) {
  return get(node, CU_GRAPH_NODE_TYPE_EVENT_RECORD, event != nullptr,
             [event](const CUgraphNodeParams& found) { *event = found.eventRecord.event; });
}

CUresult CUDAAPI cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_said(node, &event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}

CUresult CUDAAPI cuGraphExecEventRecordNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return set_said_in(executable, node, &event, CU_GRAPH_NODE_TYPE_EVENT_RECORD);
}

CUresult CUDAAPI cuGraphAddEventWaitNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                         size_t count, CUevent event) {
  return add_said(node, graph, dependencies, count, &event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}

CUresult CUDAAPI cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* event) {
  return get(node, CU_GRAPH_NODE_TYPE_WAIT_EVENT, event != nullptr,
             [event](const CUgraphNodeParams& found) { *event = found.eventWait.event; });
}

CUresult CUDAAPI cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return set_said(node, &event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}

CUresult CUDAAPI cuGraphExecEventWaitNodeSetEvent(CUgraphExec executable, CUgraphNode node, CUevent event) {
  return set_said_in(executable, node, &event, CU_GRAPH_NODE_TYPE_WAIT_EVENT);
}

// cuGraphAddBatchMemOpNode. The array is copied now.
CUresult CUDAAPI cuGraphAddBatchMemOpNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                          size_t count, const CUDA_BATCH_MEM_OP_NODE_PARAMS* said) {
  return add_said(node, graph, dependencies, count, said);
}

// cuGraphBatchMemOpNodeGetParams. The array is the node's own, good until the node is changed.
CUresult CUDAAPI cuGraphBatchMemOpNodeGetParams(CUgraphNode node, CUDA_BATCH_MEM_OP_NODE_PARAMS* said) {
  return get(node, CU_GRAPH_NODE_TYPE_BATCH_MEM_OP, said != nullptr, [said](const CUgraphNodeParams& found) {
    *said = {found.memOp.ctx, found.memOp.count, found.memOp.paramArray, found.memOp.flags};
  });
}

CUresult CUDAAPI cuGraphBatchMemOpNodeSetParams(CUgraphNode node, const CUDA_BATCH_MEM_OP_NODE_PARAMS* said) {
  return set_said(node, said);
}

CUresult CUDAAPI cuGraphExecBatchMemOpNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                                    const CUDA_BATCH_MEM_OP_NODE_PARAMS* said) {
  return set_said_in(executable, node, said);
}

// cuGraphAddExternalSemaphoresSignalNode. Measured: no semaphore at all is fine, and they are not looked at.
CUresult CUDAAPI cuGraphAddExternalSemaphoresSignalNode(CUgraphNode* node, CUgraph graph,
                                                        const CUgraphNode* dependencies, size_t count,
                                                        const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* said) {
  return add_said(node, graph, dependencies, count, said);
}

CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeGetParams(CUgraphNode node,
                                                              CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* said) {
  return get(node, CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL, said != nullptr,
             [said](const CUgraphNodeParams& found) {
               *said = {found.extSemSignal.extSemArray, found.extSemSignal.paramsArray,
                        found.extSemSignal.numExtSems};
             });
}

CUresult CUDAAPI cuGraphExternalSemaphoresSignalNodeSetParams(CUgraphNode node,
                                                              const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* said) {
  return set_said(node, said);
}

CUresult CUDAAPI cuGraphExecExternalSemaphoresSignalNodeSetParams(
    CUgraphExec executable, CUgraphNode node, const CUDA_EXT_SEM_SIGNAL_NODE_PARAMS* said) {
  return set_said_in(executable, node, said);
}

// cuGraphAddExternalSemaphoresWaitNode. Measured: no semaphore at all is fine, and they are not looked at.
CUresult CUDAAPI cuGraphAddExternalSemaphoresWaitNode(CUgraphNode* node, CUgraph graph,
                                                      const CUgraphNode* dependencies, size_t count,
                                                      const CUDA_EXT_SEM_WAIT_NODE_PARAMS* said) {
  return add_said(node, graph, dependencies, count, said);
}

CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeGetParams(CUgraphNode node,
                                                            CUDA_EXT_SEM_WAIT_NODE_PARAMS* said) {
  return get(
      node, CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT, said != nullptr, [said](const CUgraphNodeParams& found) {
        *said = {found.extSemWait.extSemArray, found.extSemWait.paramsArray, found.extSemWait.numExtSems};
      });
}

CUresult CUDAAPI cuGraphExternalSemaphoresWaitNodeSetParams(CUgraphNode node,
                                                            const CUDA_EXT_SEM_WAIT_NODE_PARAMS* said) {
  return set_said(node, said);
}

CUresult CUDAAPI cuGraphExecExternalSemaphoresWaitNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                                                const CUDA_EXT_SEM_WAIT_NODE_PARAMS* said) {
  return set_said_in(executable, node, said);
}

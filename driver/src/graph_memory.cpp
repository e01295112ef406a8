// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Graph Management": nodes that hold memory, and nodes of any kind by
// one struct. Errors of all: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, OUT_OF_MEMORY.
//
// Memory gets its address when its node is made and keeps it in every launch. Measured: it can be used and
// queried from a launch until it is freed, by a node of this or another graph, cuMemFree or cuMemFreeAsync.
// It has to be freed before the next launch; if it is not, it outlives its graph.

#include <cstring>

#include "core/graph_call.hpp"
#include "core/graph_node.hpp"

using namespace driver;

// cuGraphAddMemAllocNode. Writes the address into the parameters.
CUresult CUDAAPI cuGraphAddMemAllocNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                        size_t count, CUDA_MEM_ALLOC_NODE_PARAMS* said) {
  if (said == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  parameters.alloc.poolProps = said->poolProps;
  parameters.alloc.bytesize = said->bytesize;
  parameters.alloc.accessDescs = said->accessDescs;
  parameters.alloc.accessDescCount = said->accessDescCount;
  const CUresult error = add_node(node, graph, dependencies, count, parameters);
  if (error == CUDA_SUCCESS) said->dptr = parameters.alloc.dptr;
  return error;
}

CUresult CUDAAPI cuGraphMemAllocNodeGetParams(CUgraphNode handle, CUDA_MEM_ALLOC_NODE_PARAMS* said) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Node* const node = call.graphs.node(handle);
  const auto* const made = node != nullptr ? std::get_if<AllocateWork>(&node->work) : nullptr;
  if (made == nullptr || said == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *said = made->memory->parameters();
  return CUDA_SUCCESS;
}

// cuGraphAddMemFreeNode. The address must be that of an allocating node, of this or another graph; freeing it
// twice in one graph gives 1, and so does freeing elsewhere what its own graph frees (measured). Its own
// graph may free it only before it is instantiated, and only while no other graph has a node that frees it;
// two other graphs may (conformance: graph.frees_its_own_memory_only_before_it_is_instantiated, and the
// next).
CUresult CUDAAPI cuGraphAddMemFreeNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                       size_t count, CUdeviceptr address) {
  CUgraphNodeParams parameters{};
  parameters.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  parameters.free.dptr = address;
  return add_node(node, graph, dependencies, count, parameters);
}

CUresult CUDAAPI cuGraphMemFreeNodeGetParams(CUgraphNode handle, CUdeviceptr* address) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Node* const node = call.graphs.node(handle);
  const auto* const freed = node != nullptr ? std::get_if<FreeWork>(&node->work) : nullptr;
  if (freed == nullptr || address == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *address = freed->address;
  return CUDA_SUCCESS;
}

// cuDeviceGetGraphMemAttribute. Errors: as above, and INVALID_DEVICE.
CUresult CUDAAPI cuDeviceGetGraphMemAttribute(CUdevice handle, CUgraphMem_attribute attribute, void* value) {
  const OnGraphs call;
  if (call.error) return call.error;
  const Device* const device = Driver::get().device(handle);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const auto known = call.graphs.memory_use.find(device);
  const GraphMemoryUse use = known != call.graphs.memory_use.end() ? known->second : GraphMemoryUse{};
  switch (attribute) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT:
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT:
      return answer_with<cuuint64_t>(value, use.taken);
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      return answer_with<cuuint64_t>(value, use.used_high);
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      return answer_with<cuuint64_t>(value, use.reserved_high);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// cuDeviceSetGraphMemAttribute. Errors: as above, and INVALID_DEVICE. High watermarks, and only to zero.
CUresult CUDAAPI cuDeviceSetGraphMemAttribute(CUdevice handle, CUgraphMem_attribute attribute, void* value) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  const Device* const device = Driver::get().device(handle);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  cuuint64_t wanted = 0;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::memcpy(&wanted, value, sizeof wanted);
  if (wanted != 0) return CUDA_ERROR_INVALID_VALUE;
  GraphMemoryUse& use = call.graphs.memory_use[device];
  switch (attribute) {
    case CU_GRAPH_MEM_ATTR_USED_MEM_HIGH:
      use.used_high = use.taken;
      return CUDA_SUCCESS;
    case CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH:
      use.reserved_high = use.taken;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// cuDeviceGraphMemTrim. Errors: as above, and INVALID_DEVICE. What is in use stays.
CUresult CUDAAPI cuDeviceGraphMemTrim(CUdevice handle) {
  const ChangingGraphs call;
  if (call.error) return call.error;
  const Device* const device = Driver::get().device(handle);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  GraphMemoryUse& use = call.graphs.memory_use[device];
  use.taken = 0;
  use.grow(Driver::get().memory().bytes_of_graphs(*device));
  return CUDA_SUCCESS;
}

// cuGraphAddNode. Errors: as above, and NOT_SUPPORTED for kinds and edges that there are not here.
CUresult CUDAAPI cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUgraphNodeParams* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return add_node(node, graph, dependencies, count, *parameters);
}

CUresult CUDAAPI cuGraphAddNode_v2(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                   const CUgraphEdgeData* data, size_t count, CUgraphNodeParams* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!plain_edges(data, count)) return CUDA_ERROR_NOT_SUPPORTED;
  return add_node(node, graph, dependencies, count, *parameters);
}

CUresult CUDAAPI cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return set_node(node, *parameters);
}

CUresult CUDAAPI cuGraphExecNodeSetParams(CUgraphExec executable, CUgraphNode node,
                                          CUgraphNodeParams* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return set_node_in(executable, node, *parameters);
}

// SPDX-License-Identifier: MIT
// The manual's chapter "Graph Management" for whole graphs: making, asking, connecting, instantiating,
// updating.
//
// Nodes are in graph_nodes.cpp and graph_memory_nodes.cpp, launches in on_stream/graph.cpp. A graph of the
// runtime is one of the driver.
#include "runtime.hpp"

using namespace cudart;

// cudaGraphCreate. Errors: InvalidValue, MemoryAllocation.
cudaError_t CUDARTAPI cudaGraphCreate(cudaGraph_t* graph, unsigned int flags) {
  return with_context([&] { return cuGraphCreate(graph, flags); });
}

// cudaGraphDestroy. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphDestroy(cudaGraph_t graph) {
  return with_context([&] { return cuGraphDestroy(graph); });
}

// cudaGraphClone. Errors: InvalidValue, MemoryAllocation.
cudaError_t CUDARTAPI cudaGraphClone(cudaGraph_t* clone, cudaGraph_t original) {
  return with_context([&] { return cuGraphClone(clone, original); });
}

// cudaGraphNodeFindInClone. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphNodeFindInClone(cudaGraphNode_t* node, cudaGraphNode_t original,
                                               cudaGraph_t clone) {
  return with_context([&] { return cuGraphNodeFindInClone(node, original, clone); });
}

// cudaGraphNodeGetType. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
  return with_context([&] { return cuGraphNodeGetType(node, same<CUgraphNodeType>(type)); });
}

// cudaGraphGetNodes. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return with_context([&] { return cuGraphGetNodes(graph, nodes, count); });
}

// cudaGraphGetRootNodes. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
  return with_context([&] { return cuGraphGetRootNodes(graph, nodes, count); });
}

// cudaGraphDestroyNode. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphDestroyNode(cudaGraphNode_t node) {
  return with_context([&] { return cuGraphDestroyNode(node); });
}

// cudaGraphInstantiate. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                           unsigned long long flags) {
  return with_context([&] { return cuGraphInstantiateWithFlags(executable, graph, flags); });
}

// cudaGraphInstantiateWithFlags. Errors: InvalidValue. The same under its older name.
cudaError_t CUDARTAPI cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                    unsigned long long flags) {
  return with_context([&] { return cuGraphInstantiateWithFlags(executable, graph, flags); });
}

// cudaGraphExecGetFlags. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecGetFlags(cudaGraphExec_t executable, unsigned long long* flags) {
  return with_context([&] { return cuGraphExecGetFlags(executable, reinterpret_cast<cuuint64_t*>(flags)); });
}

// cudaGraphExecUpdate. Errors: InvalidValue, GraphExecUpdateFailure.
cudaError_t CUDARTAPI cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph,
                                          cudaGraphExecUpdateResultInfo* result) {
  return with_context(
      [&] { return cuGraphExecUpdate(executable, graph, same<CUgraphExecUpdateResultInfo>(result)); });
}

// cudaGraphExecDestroy. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return with_context([&] { return cuGraphExecDestroy(executable); });
}

// cudaGraphDebugDotPrint. Errors: InvalidValue, OperatingSystem.
cudaError_t CUDARTAPI cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned int flags) {
  return with_context([&] { return cuGraphDebugDotPrint(graph, path, flags); });
}

// cudaUserObjectCreate. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                           unsigned int references, unsigned int flags) {
  return with_context([&] { return cuUserObjectCreate(object, pointer, destroy, references, flags); });
}

// cudaUserObjectRetain. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  return with_context([&] { return cuUserObjectRetain(object, count); });
}

// cudaUserObjectRelease. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  return with_context([&] { return cuUserObjectRelease(object, count); });
}

// cudaGraphRetainUserObject. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                unsigned int count, unsigned int flags) {
  return with_context([&] { return cuGraphRetainUserObject(graph, object, count, flags); });
}

// cudaGraphReleaseUserObject. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                                 unsigned int count) {
  return with_context([&] { return cuGraphReleaseUserObject(graph, object, count); });
}

// cudaDeviceGraphMemTrim. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaDeviceGraphMemTrim(int device) {
  return with_context([&] { return cuDeviceGraphMemTrim(device); });
}

// cudaDeviceGetGraphMemAttribute. Errors: InvalidDevice.
cudaError_t CUDARTAPI cudaDeviceGetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                                     void* value) {
  return with_context([&] {
    return cuDeviceGetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute), value);
  });
}

// cudaDeviceSetGraphMemAttribute. Errors: InvalidDevice.
cudaError_t CUDARTAPI cudaDeviceSetGraphMemAttribute(int device, cudaGraphMemAttributeType attribute,
                                                     void* value) {
  return with_context([&] {
    return cuDeviceSetGraphMemAttribute(device, static_cast<CUgraphMem_attribute>(attribute), value);
  });
}

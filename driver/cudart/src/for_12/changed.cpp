// SPDX-License-Identifier: MIT
// Functions by the plain names that they have in CUDA 12 and whose parameters 13 changed, and functions of 12
// that 13 dropped.
//
// A header can declare only one C function of a name, and ours declares that of 13. So these functions have
// other names in C++, and the library's names as symbols. Each makes the same driver call as in
// changed_in_13/, with fewer parameters.
#include "for_12/place.hpp"

using namespace cudart;

#define OF_12(name) __asm__(#name)

extern "C" {
cudaError_t advise(const void* pointer, size_t size, cudaMemoryAdvise advice, int device)
    OF_12(cudaMemAdvise);
cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count)
    OF_12(cudaGraphGetEdges);
cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count)
    OF_12(cudaGraphNodeGetDependencies);
cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t* dependents, size_t* count)
    OF_12(cudaGraphNodeGetDependentNodes);
cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                             size_t count) OF_12(cudaGraphAddDependencies);
cudaError_t remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                size_t count) OF_12(cudaGraphRemoveDependencies);
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     size_t count, cudaGraphNodeParams* given) OF_12(cudaGraphAddNode);
cudaError_t CUDARTAPI cudaGraphAddNode_v2(cudaGraphNode_t* node, cudaGraph_t graph,
                                          const cudaGraphNode_t* dependencies, const cudaGraphEdgeData* edges,
                                          size_t count, cudaGraphNodeParams* given);
cudaError_t runtime_version(int* version) OF_12(cudaRuntimeGetVersion);
cudaError_t CUDARTAPI cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end);
cudaError_t CUDARTAPI cudaThreadSynchronize();
cudaError_t CUDARTAPI cudaThreadExit();
cudaError_t CUDARTAPI cudaThreadSetLimit(cudaLimit limit, size_t value);
cudaError_t CUDARTAPI cudaThreadGetLimit(size_t* value, cudaLimit limit);
cudaError_t CUDARTAPI cudaThreadSetCacheConfig(cudaFuncCache config);
cudaError_t CUDARTAPI cudaThreadGetCacheConfig(cudaFuncCache* config);
}

// cudaMemAdvise of 12. Errors: InvalidValue, InvalidDevice. The host is device -1.
cudaError_t advise(const void* pointer, size_t size, cudaMemoryAdvise advice, int device) {
  return with_context([&] {
    return cuMemAdvise(address_of(pointer), size, static_cast<CUmem_advise>(advice),
                       for_12::place_of(device));
  });
}

// cudaGraphGetEdges of 12. Errors: LossyQuery, InvalidValue.
cudaError_t get_edges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, size_t* count) {
  return with_context([&] { return cuGraphGetEdges(graph, from, to, nullptr, count); });
}

// cudaGraphNodeGetDependencies of 12. Errors: LossyQuery, InvalidValue.
cudaError_t get_dependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies, size_t* count) {
  return with_context([&] { return cuGraphNodeGetDependencies(node, dependencies, nullptr, count); });
}

// cudaGraphNodeGetDependentNodes of 12. Errors: LossyQuery, InvalidValue.
cudaError_t get_dependents(cudaGraphNode_t node, cudaGraphNode_t* dependents, size_t* count) {
  return with_context([&] { return cuGraphNodeGetDependentNodes(node, dependents, nullptr, count); });
}

// cudaGraphAddDependencies of 12. Errors: InvalidValue.
cudaError_t add_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                             size_t count) {
  return with_context([&] { return cuGraphAddDependencies(graph, from, to, nullptr, count); });
}

// cudaGraphRemoveDependencies of 12. Errors: InvalidValue.
cudaError_t remove_dependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                size_t count) {
  return with_context([&] { return cuGraphRemoveDependencies(graph, from, to, nullptr, count); });
}

// cudaGraphAddNode of 12. Errors: InvalidValue, InvalidDeviceFunction, NotSupported.
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies,
                     size_t count, cudaGraphNodeParams* given) {
  return cudaGraphAddNode_v2(node, graph, dependencies, nullptr, count, given);
}

// cudaRuntimeGetVersion. Errors: InvalidValue.
cudaError_t runtime_version(int* version) {
  if (version == nullptr) return remember(cudaErrorInvalidValue);
  *version = 12090;
  return cudaSuccess;
}

cudaError_t CUDARTAPI cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}

// What was named after threads before contexts belonged to devices.
cudaError_t CUDARTAPI cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
cudaError_t CUDARTAPI cudaThreadExit() {
  return cudaDeviceReset();
}
cudaError_t CUDARTAPI cudaThreadSetLimit(cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}
cudaError_t CUDARTAPI cudaThreadGetLimit(size_t* value, cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}
cudaError_t CUDARTAPI cudaThreadSetCacheConfig(cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}
cudaError_t CUDARTAPI cudaThreadGetCacheConfig(cudaFuncCache* config) {
  return cudaDeviceGetCacheConfig(config);
}

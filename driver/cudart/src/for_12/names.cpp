// Names of libcudart.so.12 for functions that CUDA 13 renamed: what was _v2 there is the plain name now.
//
// The plain names of 12 had other parameters and are not exported from libcudart.so.12 (libcudart.12.map): a
// program that asks for one is told so by the loader. Knows nothing but the new names.
#include "runtime.hpp"

extern "C" {
decltype(cudaEventElapsedTime) cudaEventElapsedTime_v2;
decltype(cudaMemAdvise) cudaMemAdvise_v2;
decltype(cudaMemPrefetchAsync) cudaMemPrefetchAsync_v2;
decltype(cudaGraphAddDependencies) cudaGraphAddDependencies_v2;
decltype(cudaGraphRemoveDependencies) cudaGraphRemoveDependencies_v2;
decltype(cudaGraphGetEdges) cudaGraphGetEdges_v2;
decltype(cudaGraphNodeGetDependencies) cudaGraphNodeGetDependencies_v2;
decltype(cudaGraphNodeGetDependentNodes) cudaGraphNodeGetDependentNodes_v2;
decltype(cudaStreamGetCaptureInfo) cudaStreamGetCaptureInfo_v3;
decltype(cudaStreamUpdateCaptureDependencies) cudaStreamUpdateCaptureDependencies_v2;
}

cudaError_t cudaEventElapsedTime_v2(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return cudaEventElapsedTime(milliseconds, start, end);
}
cudaError_t cudaMemAdvise_v2(const void* pointer, size_t size, cudaMemoryAdvise advice,
                             cudaMemLocation location) {
  return cudaMemAdvise(pointer, size, advice, location);
}
cudaError_t cudaMemPrefetchAsync_v2(const void* pointer, size_t size, cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream) {
  return cudaMemPrefetchAsync(pointer, size, location, flags, stream);
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                        const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                        size_t count) {
  return cudaGraphAddDependencies(graph, from, to, edges, count);
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from,
                                           const cudaGraphNode_t* to, const cudaGraphEdgeData* edges,
                                           size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, edges, count);
}
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphGetEdges(graph, from, to, edges, count);
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                                            cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphNodeGetDependencies(node, dependencies, edges, count);
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                                              cudaGraphEdgeData* edges, size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, dependents, edges, count);
}
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, cudaStreamCaptureStatus* status,
                                        unsigned long long* id, cudaGraph_t* graph,
                                        const cudaGraphNode_t** dependencies, const cudaGraphEdgeData** edges,
                                        size_t* count) {
  return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, edges, count);
}
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t* dependencies,
                                                   const cudaGraphEdgeData* edges, size_t count,
                                                   unsigned int flags) {
  return cudaStreamUpdateCaptureDependencies(stream, dependencies, edges, count, flags);
}

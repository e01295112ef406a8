// SPDX-License-Identifier: MIT
// cuda_runtime_api.h for programs of CUDA 12: that of 13, with the functions whose parameters 13 changed as
// they were in 12.9, and 12's cudaDeviceProp. For libcudart.so.12.
//
// A name can be declared once only, and the other header declares 13's: the forms of 12 have names of their
// own, which the linker does not see.
#ifndef DRIVERLAB_12_CUDA_RUNTIME_API_H
#define DRIVERLAB_12_CUDA_RUNTIME_API_H

#include "../cuda_runtime_api.h"
#include "device_properties.h"

#undef CUDART_VERSION
#define CUDART_VERSION 12090

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define DRIVERLAB_12(name) __asm__(name "_ptsz")
#undef cudaMemPrefetchAsync
#undef cudaMemcpyBatchAsync
#undef cudaStreamUpdateCaptureDependencies
#undef cudaStreamGetCaptureInfo
#else
#define DRIVERLAB_12(name) __asm__(name)
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define cudaMemAdvise cudaMemAdvise_of_12
extern __host__ cudaError_t CUDARTAPI cudaMemAdvise(const void* pointer, size_t size, cudaMemoryAdvise advice,
                                                    int device) __asm__("cudaMemAdvise");
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_of_12
extern __host__ cudaError_t CUDARTAPI cudaMemPrefetchAsync(const void* pointer, size_t size, int device,
                                                           cudaStream_t stream CUDART_DEFAULT(0))
    DRIVERLAB_12("cudaMemPrefetchAsync");
#define cudaGraphAddDependencies cudaGraphAddDependencies_of_12
extern __host__ cudaError_t CUDARTAPI
cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                         size_t count) __asm__("cudaGraphAddDependencies");
#define cudaGraphRemoveDependencies cudaGraphRemoveDependencies_of_12
extern __host__ cudaError_t CUDARTAPI
cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                            size_t count) __asm__("cudaGraphRemoveDependencies");
#define cudaGraphGetEdges cudaGraphGetEdges_of_12
extern __host__ cudaError_t CUDARTAPI cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from,
                                                        cudaGraphNode_t* to,
                                                        size_t* count) __asm__("cudaGraphGetEdges");
#define cudaGraphNodeGetDependencies cudaGraphNodeGetDependencies_of_12
extern __host__ cudaError_t CUDARTAPI
cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* dependencies,
                             size_t* count) __asm__("cudaGraphNodeGetDependencies");
#define cudaGraphNodeGetDependentNodes cudaGraphNodeGetDependentNodes_of_12
extern __host__ cudaError_t CUDARTAPI
cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* dependents,
                               size_t* count) __asm__("cudaGraphNodeGetDependentNodes");
#define cudaGraphAddNode cudaGraphAddNode_of_12
extern __host__ cudaError_t CUDARTAPI
cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* dependencies, size_t count,
                 cudaGraphNodeParams* parameters) __asm__("cudaGraphAddNode");
#define cudaMemcpyBatchAsync cudaMemcpyBatchAsync_of_12
extern __host__ cudaError_t CUDARTAPI cudaMemcpyBatchAsync(void** to, void** from, size_t* sizes,
                                                           size_t count, cudaMemcpyAttributes* attributes,
                                                           size_t* first, size_t attribute_count,
                                                           size_t* failed, cudaStream_t stream)
    DRIVERLAB_12("cudaMemcpyBatchAsync");
#define cudaStreamUpdateCaptureDependencies cudaStreamUpdateCaptureDependencies_of_12
extern __host__ cudaError_t CUDARTAPI cudaStreamUpdateCaptureDependencies(
    cudaStream_t stream, cudaGraphNode_t* dependencies, size_t count, unsigned int flags CUDART_DEFAULT(0))
    DRIVERLAB_12("cudaStreamUpdateCaptureDependencies");
#define cudaStreamGetCaptureInfo cudaStreamGetCaptureInfo_of_12
extern __host__ cudaError_t CUDARTAPI cudaStreamGetCaptureInfo(
    cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id CUDART_DEFAULT(0),
    cudaGraph_t* graph CUDART_DEFAULT(0), const cudaGraphNode_t** dependencies CUDART_DEFAULT(0),
    size_t* count CUDART_DEFAULT(0)) DRIVERLAB_12("cudaStreamGetCaptureInfo_v2");

#define cudaDeviceProp cudaDeviceProperties12
#define cudaGetDeviceProperties cudaGetDeviceProperties_v2
#define cudaChooseDevice cudaChooseDevice_of_12
extern __host__ cudaError_t CUDARTAPI cudaGetDeviceProperties(struct cudaDeviceProp* properties, int device);
extern __host__ cudaError_t CUDARTAPI
cudaChooseDevice(int* device, const struct cudaDeviceProp* wants) __asm__("cudaChooseDevice");
extern __host__ cudaError_t CUDARTAPI cudaThreadSynchronize(void);
extern __host__ cudaError_t CUDARTAPI cudaThreadExit(void);

#ifdef __cplusplus
}
#endif
#undef DRIVERLAB_12

#endif  // DRIVERLAB_12_CUDA_RUNTIME_API_H

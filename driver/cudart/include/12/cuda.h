// SPDX-License-Identifier: MIT
// cuda.h for programs of CUDA 12: that of 13, with the functions whose meaning 13 changed as they were
// in 12.9.
//
// In a separate folder, which comes before the other one on the compiler's path. Constants and structs
// are those of 13, which has every one that programs of 12 commonly use.
#ifndef DRIVERLAB_12_CUDA_H
#define DRIVERLAB_12_CUDA_H

#include "../cuda.h"

#undef CUDA_VERSION
#define CUDA_VERSION 12090

#undef cuCtxCreate
#undef cuDeviceGetUuid
#undef cuEventElapsedTime
#undef cuGraphAddDependencies
#undef cuGraphAddNode
#undef cuGraphGetEdges
#undef cuGraphNodeGetDependencies
#undef cuGraphNodeGetDependentNodes
#undef cuGraphRemoveDependencies
#undef cuMemAdvise
#undef cuMemPrefetchAsync
#undef cuMemcpy3DBatchAsync
#undef cuMemcpyBatchAsync
#undef cuStreamGetCaptureInfo
#undef cuStreamUpdateCaptureDependencies

#define cuCtxCreate cuCtxCreate_v2
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define cuMemPrefetchAsync cuMemPrefetchAsync_ptsz
#define cuMemcpy3DBatchAsync cuMemcpy3DBatchAsync_ptsz
#define cuMemcpyBatchAsync cuMemcpyBatchAsync_ptsz
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2_ptsz
#define cuStreamUpdateCaptureDependencies cuStreamUpdateCaptureDependencies_ptsz
#else
#define cuStreamGetCaptureInfo cuStreamGetCaptureInfo_v2
#endif

#ifdef __cplusplus
extern "C" {
#endif

CUresult CUDAAPI cuCtxCreate(CUcontext* pctx, unsigned int flags, CUdevice dev);
CUresult CUDAAPI cuDeviceGetUuid(CUuuid* uuid, CUdevice dev);
CUresult CUDAAPI cuDeviceGetUuid_v2(CUuuid* uuid, CUdevice dev);
CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end);
CUresult CUDAAPI cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                        size_t count);
CUresult CUDAAPI cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                           size_t count);
CUresult CUDAAPI cuGraphAddNode(CUgraphNode* node, CUgraph graph, const CUgraphNode* dependencies,
                                size_t count, CUgraphNodeParams* parameters);
CUresult CUDAAPI cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, size_t* count);
CUresult CUDAAPI cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* dependencies, size_t* count);
CUresult CUDAAPI cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* dependents, size_t* count);
CUresult CUDAAPI cuMemAdvise(CUdeviceptr pointer, size_t size, CUmem_advise advice, CUdevice device);
CUresult CUDAAPI cuMemPrefetchAsync(CUdeviceptr pointer, size_t size, CUdevice device, CUstream stream);
CUresult CUDAAPI cuMemcpyBatchAsync(CUdeviceptr* to, CUdeviceptr* from, size_t* sizes, size_t count,
                                    CUmemcpyAttributes* attributes, size_t* first, size_t attribute_count,
                                    size_t* failed, CUstream stream);
CUresult CUDAAPI cuMemcpy3DBatchAsync(size_t count, CUDA_MEMCPY3D_BATCH_OP* operations, size_t* failed,
                                      unsigned long long flags, CUstream stream);
CUresult CUDAAPI cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                        CUgraph* graph, const CUgraphNode** dependencies, size_t* count);
CUresult CUDAAPI cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* dependencies, size_t count,
                                                   unsigned int flags);

#ifdef __cplusplus
}
#endif

#endif  // DRIVERLAB_12_CUDA_H

// SPDX-License-Identifier: MIT
// The plain names of CUDA 12 on a stream whose parameters 13 changed.
//
// Compiled twice, as ../../on_stream/copy.cpp; ../changed.cpp explains the names.
#include <cstdint>

#include "for_12/place.hpp"

using namespace cudart;

#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define OF_12(name) __asm__(#name "_ptsz")
#else
#define OF_12(name) __asm__(#name)
#endif

extern "C" {
cudaError_t prefetch(const void* pointer, size_t size, int device, cudaStream_t stream)
    OF_12(cudaMemPrefetchAsync);
cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id)
    OF_12(cudaStreamGetCaptureInfo);
cudaError_t capture_info_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                            cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count)
    OF_12(cudaStreamGetCaptureInfo_v2);
cudaError_t update_dependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, size_t count,
                                unsigned int flags) OF_12(cudaStreamUpdateCaptureDependencies);
cudaError_t copy_batch(void** to, void** from, size_t* sizes, size_t count, cudaMemcpyAttributes* attributes,
                       size_t* first, size_t attribute_count, size_t* failed, cudaStream_t stream)
    OF_12(cudaMemcpyBatchAsync);
}

// cudaMemPrefetchAsync of 12. Errors: InvalidValue, InvalidDevice. The host is device -1.
cudaError_t prefetch(const void* pointer, size_t size, int device, cudaStream_t stream) {
  return with_context(
      [&] { return cuMemPrefetchAsync(address_of(pointer), size, for_12::place_of(device), 0, stream); });
}

// cudaStreamGetCaptureInfo of 10 to 12. Errors: InvalidValue, StreamCaptureImplicit.
cudaError_t capture_info(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id) {
  return capture_info_v2(stream, status, id, nullptr, nullptr, nullptr);
}

// What CUDA 12's header makes of cudaStreamGetCaptureInfo. Errors: InvalidValue, StreamCaptureImplicit,
// LossyQuery.
cudaError_t capture_info_v2(cudaStream_t stream, cudaStreamCaptureStatus* status, unsigned long long* id,
                            cudaGraph_t* graph, const cudaGraphNode_t** dependencies, size_t* count) {
  return with_context([&] {
    return cuStreamGetCaptureInfo(stream, same<CUstreamCaptureStatus>(status),
                                  reinterpret_cast<cuuint64_t*>(id), graph, dependencies, nullptr, count);
  });
}

// cudaStreamUpdateCaptureDependencies of 12. Errors: InvalidValue, IllegalState.
cudaError_t update_dependencies(cudaStream_t stream, cudaGraphNode_t* dependencies, size_t count,
                                unsigned int flags) {
  return with_context(
      [&] { return cuStreamUpdateCaptureDependencies(stream, dependencies, nullptr, count, flags); });
}

// cudaMemcpyBatchAsync of 12. Errors: InvalidValue. Which copy failed is not known, which the largest number
// means.
cudaError_t copy_batch(void** to, void** from, size_t* sizes, size_t count, cudaMemcpyAttributes* attributes,
                       size_t* first, size_t attribute_count, size_t* failed, cudaStream_t stream) {
  return with_context([&] {
    const CUresult error =
        cuMemcpyBatchAsync(reinterpret_cast<CUdeviceptr*>(to), reinterpret_cast<CUdeviceptr*>(from), sizes,
                           count, same<CUmemcpyAttributes>(attributes), first, attribute_count, stream);
    if (error != CUDA_SUCCESS && failed != nullptr) *failed = SIZE_MAX;
    return error;
  });
}

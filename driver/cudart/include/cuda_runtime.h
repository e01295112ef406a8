// SPDX-License-Identifier: MIT
// The runtime API as C++ programs use it: the C functions, and forms of them that take typed pointers,
// kernels and symbols as they are.
//
// Everything here is a call of one C function with casts; nothing of it is in the library. The functions that
// compilers call for <<< >>> are declared at the end. Does not depend on the implementation.
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

#ifdef __DRIVERLAB_PTXCC__
#include "ptxcc/prelude.h"
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus

#include <tuple>
#include <utility>

#ifdef __DRIVERLAB_PTXCC__
// What a .cu file has without an #include of its own, as with nvcc; the functions of math.h for both widths
// under their plain names.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "math_functions.h"
#endif

// Each is always inlined: the call that it makes then belongs to the program's own line, even without
// optimisation.
//
// Memory
// -----------------------------------------------------------------------------------------------------
template <class T>
__forceinline__ cudaError_t cudaMalloc(T** pointer, size_t size) {
  return ::cudaMalloc(reinterpret_cast<void**>(pointer), size);
}
template <class T>
__forceinline__ cudaError_t cudaMallocHost(T** pointer, size_t size, unsigned int flags = 0) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
__forceinline__ cudaError_t cudaHostAlloc(T** pointer, size_t size, unsigned int flags) {
  return ::cudaHostAlloc(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
__forceinline__ cudaError_t cudaHostGetDevicePointer(T** device, void* host, unsigned int flags) {
  return ::cudaHostGetDevicePointer(reinterpret_cast<void**>(device), host, flags);
}
template <class T>
__forceinline__ cudaError_t cudaMallocManaged(T** pointer, size_t size,
                                              unsigned int flags = cudaMemAttachGlobal) {
  return ::cudaMallocManaged(reinterpret_cast<void**>(pointer), size, flags);
}
template <class T>
__forceinline__ cudaError_t cudaMallocPitch(T** pointer, size_t* pitch, size_t width, size_t height) {
  return ::cudaMallocPitch(reinterpret_cast<void**>(pointer), pitch, width, height);
}
template <class T>
__forceinline__ cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaStream_t stream) {
  return ::cudaMallocAsync(reinterpret_cast<void**>(pointer), size, stream);
}
template <class T>
__forceinline__ cudaError_t cudaMallocAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                            cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream);
}
template <class T>
__forceinline__ cudaError_t cudaMallocFromPoolAsync(T** pointer, size_t size, cudaMemPool_t pool,
                                                    cudaStream_t stream) {
  return ::cudaMallocFromPoolAsync(reinterpret_cast<void**>(pointer), size, pool, stream);
}
template <class T>
__forceinline__ cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, T* pointer, size_t length = 0,
                                                     unsigned int flags = cudaMemAttachSingle) {
  return ::cudaStreamAttachMemAsync(stream, static_cast<void*>(pointer), length, flags);
}

// Symbols
// ----------------------------------------------------------------------------------------------------
template <class T>
__forceinline__ cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
  return ::cudaGetSymbolAddress(pointer, static_cast<const void*>(&symbol));
}
template <class T>
__forceinline__ cudaError_t cudaGetSymbolSize(size_t* size, const T& symbol) {
  return ::cudaGetSymbolSize(size, static_cast<const void*>(&symbol));
}
template <class T>
__forceinline__ cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t size,
                                               size_t offset = 0,
                                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
  return ::cudaMemcpyToSymbol(static_cast<const void*>(&symbol), from, size, offset, kind);
}
template <class T>
__forceinline__ cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t size, size_t offset = 0,
                                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
  return ::cudaMemcpyFromSymbol(to, static_cast<const void*>(&symbol), size, offset, kind);
}
template <class T>
__forceinline__ cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t size,
                                                    size_t offset = 0,
                                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice,
                                                    cudaStream_t stream = 0) {
  return ::cudaMemcpyToSymbolAsync(static_cast<const void*>(&symbol), from, size, offset, kind, stream);
}
template <class T>
__forceinline__ cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t size,
                                                      size_t offset = 0,
                                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                                      cudaStream_t stream = 0) {
  return ::cudaMemcpyFromSymbolAsync(to, static_cast<const void*>(&symbol), size, offset, kind, stream);
}

// Events and graphs
// ------------------------------------------------------------------------------------------
__forceinline__ cudaError_t cudaEventCreate(cudaEvent_t* event, unsigned int flags) {
  return ::cudaEventCreateWithFlags(event, flags);
}
__forceinline__ cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph,
                                                 cudaGraphNode_t*, char*, size_t) {
  return ::cudaGraphInstantiate(executable, graph, 0);
}

// Kernels
// ----------------------------------------------------------------------------------------------------
template <class T>
__forceinline__ cudaError_t cudaLaunchKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                             size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared, stream);
}
template <class T>
__forceinline__ cudaError_t cudaLaunchCooperativeKernel(T* kernel, dim3 grid, dim3 block, void** arguments,
                                                        size_t shared = 0, cudaStream_t stream = 0) {
  return ::cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, shared,
                                       stream);
}
#if __cplusplus >= 201402L
template <class... Values, size_t... At>
__forceinline__ cudaError_t __driverlab_launch(const cudaLaunchConfig_t* config, const void* kernel,
                                               std::tuple<Values...>& values, std::index_sequence<At...>) {
  void* addresses[] = {
      const_cast<void*>(static_cast<const void*>(__builtin_addressof(std::get<At>(values))))..., nullptr};
  return ::cudaLaunchKernelExC(config, kernel, addresses);
}
// The arguments are converted to the kernel's own parameter types first, as a call would do.
template <class... Parameters, class... Arguments>
__forceinline__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config,
                                               void (*kernel)(Parameters...), Arguments&&... arguments) {
  std::tuple<Parameters...> converted(std::forward<Arguments>(arguments)...);
  return __driverlab_launch(config, reinterpret_cast<const void*>(kernel), converted,
                            std::index_sequence_for<Parameters...>());
}
#endif
template <class T>
__forceinline__ cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, T* kernel) {
  return ::cudaFuncGetAttributes(attributes, reinterpret_cast<const void*>(kernel));
}
template <class T>
__forceinline__ cudaError_t cudaFuncSetAttribute(T* kernel, cudaFuncAttribute attribute, int value) {
  return ::cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), attribute, value);
}
template <class T>
__forceinline__ cudaError_t cudaFuncSetCacheConfig(T* kernel, cudaFuncCache config) {
  return ::cudaFuncSetCacheConfig(reinterpret_cast<const void*>(kernel), config);
}
template <class T>
__forceinline__ cudaError_t cudaFuncGetName(const char** name, T* kernel) {
  return ::cudaFuncGetName(name, reinterpret_cast<const void*>(kernel));
}
template <class T>
__forceinline__ cudaError_t cudaGetFuncBySymbol(cudaFunction_t* function, T* kernel) {
  return ::cudaGetFuncBySymbol(function, reinterpret_cast<const void*>(kernel));
}
template <class T>
__forceinline__ cudaError_t cudaGetKernel(cudaKernel_t* handle, T* kernel) {
  return ::cudaGetKernel(handle, reinterpret_cast<const void*>(kernel));
}

// Occupancy
// --------------------------------------------------------------------------------------------------
template <class T>
__forceinline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T kernel,
                                                                          int block_size, size_t shared) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), block_size, shared, cudaOccupancyDefault);
}
template <class T>
__forceinline__ cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T kernel,
                                                                                   int block_size,
                                                                                   size_t shared,
                                                                                   unsigned int flags) {
  return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, reinterpret_cast<const void*>(kernel), block_size, shared, flags);
}
template <class T>
__forceinline__ cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* size, T* kernel, int blocks,
                                                                      int block_size) {
  return ::cudaOccupancyAvailableDynamicSMemPerBlock(size, reinterpret_cast<const void*>(kernel), blocks,
                                                     block_size);
}

// The block size with the most threads on a multiprocessor; the largest of those that are equal. Shared
// memory may depend on the block size, which is why this is a search and why it is here, where the function's
// type is known.
template <class Shared, class T>
__forceinline__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* grid, int* block, T kernel,
                                                                           Shared shared_of, int limit = 0) {
  if (grid == nullptr || block == nullptr) return cudaErrorInvalidValue;
  int device = 0, processors = 0, warp = 0, most_threads = 0;
  cudaFuncAttributes attributes;
  cudaError_t error = ::cudaGetDevice(&device);
  if (error == cudaSuccess)
    error = ::cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel));
  if (error == cudaSuccess)
    error = ::cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
  if (error == cudaSuccess) error = ::cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
  if (error != cudaSuccess) return error;
  const int most = limit > 0 && limit < attributes.maxThreadsPerBlock ? limit : attributes.maxThreadsPerBlock;
  *grid = *block = 0;
  for (int size = (most + warp - 1) / warp * warp; size > 0; size -= warp) {
    const int threads = size < most ? size : most;
    int blocks = 0;
    error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(kernel),
                                                            threads, static_cast<size_t>(shared_of(threads)));
    if (error != cudaSuccess) return error;
    if (blocks * threads <= most_threads) continue;
    most_threads = blocks * threads;
    *block = threads;
    *grid = blocks * processors;
  }
  return cudaSuccess;
}
template <class T>
__forceinline__ cudaError_t cudaOccupancyMaxPotentialBlockSize(int* grid, int* block, T kernel,
                                                               size_t shared = 0, int limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      grid, block, kernel, [shared](int) { return shared; }, limit);
}

// Libraries
// --------------------------------------------------------------------------------------------------
template <class T>
__forceinline__ cudaError_t cudaLibraryGetGlobal(T** pointer, size_t* size, cudaLibrary_t library,
                                                 const char* name) {
  return ::cudaLibraryGetGlobal(reinterpret_cast<void**>(pointer), size, library, name);
}
template <class T>
__forceinline__ cudaError_t cudaLibraryGetManaged(T** pointer, size_t* size, cudaLibrary_t library,
                                                  const char* name) {
  return ::cudaLibraryGetManaged(reinterpret_cast<void**>(pointer), size, library, name);
}

// Small structs
// ----------------------------------------------------------------------------------------------
static inline cudaPitchedPtr make_cudaPitchedPtr(void* pointer, size_t pitch, size_t width, size_t height) {
  return cudaPitchedPtr{pointer, pitch, width, height};
}
static inline cudaPos make_cudaPos(size_t x, size_t y, size_t z) {
  return cudaPos{x, y, z};
}
static inline cudaExtent make_cudaExtent(size_t width, size_t height, size_t depth) {
  return cudaExtent{width, height, depth};
}

// What a compiler makes of kernel<<<grid, block, shared, stream>>>(…): the configuration is left here, and
// the kernel's stub takes it and launches. The other name takes no stream to mean the thread's own.
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define DRIVERLAB_PUSH_NAME __asm__("__cudaPushCallConfiguration_ptsz")
#else
#define DRIVERLAB_PUSH_NAME
#endif
extern "C" __host__ unsigned int CUDARTAPI __cudaPushCallConfiguration(
    dim3 grid, dim3 block, size_t shared = 0, struct CUstream_st* stream = 0) DRIVERLAB_PUSH_NAME;
#undef DRIVERLAB_PUSH_NAME

#endif  // __cplusplus
#endif  // __CUDA_RUNTIME_H__

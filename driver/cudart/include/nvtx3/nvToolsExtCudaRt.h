// SPDX-License-Identifier: MIT
// NVTX's names for devices, streams and events of the runtime. Nobody reads them here.
#ifndef NVTOOLSEXT_CUDART_H_
#define NVTOOLSEXT_CUDART_H_

#include "cuda_runtime_api.h"
#include "nvToolsExt.h"

#define DRIVERLAB_NVTX_NAME(name, type, character)                                      \
  static inline __attribute__((unused)) void name(type what, const character* called) { \
    (void)what, (void)called;                                                           \
  }
DRIVERLAB_NVTX_NAME(nvtxNameCudaDeviceA, int, char)
DRIVERLAB_NVTX_NAME(nvtxNameCudaDeviceW, int, wchar_t)
DRIVERLAB_NVTX_NAME(nvtxNameCudaStreamA, cudaStream_t, char)
DRIVERLAB_NVTX_NAME(nvtxNameCudaStreamW, cudaStream_t, wchar_t)
DRIVERLAB_NVTX_NAME(nvtxNameCudaEventA, cudaEvent_t, char)
DRIVERLAB_NVTX_NAME(nvtxNameCudaEventW, cudaEvent_t, wchar_t)
#undef DRIVERLAB_NVTX_NAME

#ifdef UNICODE
#define nvtxNameCudaDevice nvtxNameCudaDeviceW
#define nvtxNameCudaStream nvtxNameCudaStreamW
#define nvtxNameCudaEvent nvtxNameCudaEventW
#else
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaEvent nvtxNameCudaEventA
#endif

#endif  // NVTOOLSEXT_CUDART_H_

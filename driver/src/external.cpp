// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "External Resource Interoperability".
//
// Memory and semaphores of Vulkan, Direct3D and NvSci come from a graphics driver, and none works with this
// one: no descriptor stands for such an object, and no handle is one. Measured: truth rest_external_memory,
// rest_external_semaphore. An H100 also takes the descriptor of memory that cuMemCreate has made (truth
// rest_external_from_export); that is refused here, and cuMemImportFromShareableHandle takes it.
#include "core/call.hpp"
#include "core/log.hpp"
#include "core/shared_file.hpp"

using namespace driver;

namespace {

CUresult no_object() {
  const ReadingAnywhere call;
  return call.error ? call.error : CUDA_ERROR_INVALID_VALUE;
}

}  // namespace

// cuImportExternalMemory. Errors: NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE, OPERATING_SYSTEM. Measured:
// a descriptor of something else gives 999, and a dma-buf 801.
CUresult CUDAAPI cuImportExternalMemory(CUexternalMemory* memory,
                                        const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* said) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (memory == nullptr || said == nullptr) return CUDA_ERROR_INVALID_VALUE;
  constexpr int kDmaBuffer = 9;  // a type that the header of CUDA 13.0 does not have
  if (static_cast<int>(said->type) == kDmaBuffer) return CUDA_ERROR_NOT_SUPPORTED;
  const bool right = said->type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD && said->size != 0 &&
                     (said->flags & ~unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED}) == 0;
  if (!right) return CUDA_ERROR_INVALID_VALUE;
  if (SharedFile::import(said->handle.fd) == nullptr) return CUDA_ERROR_UNKNOWN;
  return refuse(CUDA_ERROR_NOT_SUPPORTED,
                "Memory of cuMemCreate is imported by cuMemImportFromShareableHandle");
}

// cuExternalMemoryGetMappedBuffer. Errors: NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE.
CUresult CUDAAPI cuExternalMemoryGetMappedBuffer(CUdeviceptr*, CUexternalMemory,
                                                 const CUDA_EXTERNAL_MEMORY_BUFFER_DESC*) {
  return no_object();
}

// cuExternalMemoryGetMappedMipmappedArray. Errors: as cuExternalMemoryGetMappedBuffer.
CUresult CUDAAPI cuExternalMemoryGetMappedMipmappedArray(CUmipmappedArray*, CUexternalMemory,
                                                         const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC*) {
  return no_object();
}

// cuDestroyExternalMemory. Errors: NOT_INITIALIZED, INVALID_HANDLE. Measured: none gives 1.
CUresult CUDAAPI cuDestroyExternalMemory(CUexternalMemory) {
  return no_object();
}

// cuImportExternalSemaphore. Errors: NOT_INITIALIZED, NOT_SUPPORTED, INVALID_HANDLE, OPERATING_SYSTEM.
// Measured: a descriptor of something else gives 999.
CUresult CUDAAPI cuImportExternalSemaphore(CUexternalSemaphore* semaphore,
                                           const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC* said) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (semaphore == nullptr || said == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const bool by_descriptor = said->type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD ||
                             said->type == CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD;
  return by_descriptor ? CUDA_ERROR_UNKNOWN : CUDA_ERROR_INVALID_VALUE;
}

// cuSignalExternalSemaphoresAsync. Errors: NOT_INITIALIZED, INVALID_HANDLE, NOT_SUPPORTED.
CUresult CUDAAPI cuSignalExternalSemaphoresAsync(const CUexternalSemaphore*,
                                                 const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS*, unsigned int,
                                                 CUstream) {
  return no_object();
}
CUresult CUDAAPI cuSignalExternalSemaphoresAsync_ptsz(const CUexternalSemaphore*,
                                                      const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS*,
                                                      unsigned int, CUstream) {
  return no_object();
}

// cuWaitExternalSemaphoresAsync. Errors: NOT_INITIALIZED, INVALID_HANDLE, NOT_SUPPORTED, TIMEOUT.
CUresult CUDAAPI cuWaitExternalSemaphoresAsync(const CUexternalSemaphore*,
                                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned int,
                                               CUstream) {
  return no_object();
}
CUresult CUDAAPI cuWaitExternalSemaphoresAsync_ptsz(const CUexternalSemaphore*,
                                                    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned int,
                                                    CUstream) {
  return no_object();
}

// cuDestroyExternalSemaphore. Errors: NOT_INITIALIZED, INVALID_HANDLE. Measured: none gives 1.
CUresult CUDAAPI cuDestroyExternalSemaphore(CUexternalSemaphore) {
  return no_object();
}

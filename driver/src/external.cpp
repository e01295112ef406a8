// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "External Resource Interoperability".
//
// Memory and semaphores of Vulkan, Direct3D and NvSci come from a graphics driver, and none works with this
// one: no descriptor stands for such an object. What there is, is memory of cuMemCreate, by the descriptor of
// cuMemExportToShareableHandle (core/external_memory.hpp). Measured: truth rest_external_memory,
// rest_external_semaphore, rest_external_from_export, and the scenarios external_… of two devices.
#include <unistd.h>

#include "core/call.hpp"
#include "core/external_memory.hpp"
#include "core/ledger.hpp"
#include "core/log.hpp"

using namespace driver;

namespace {

CUresult no_semaphore() {
  const ReadingAnywhere call;
  return call.error ? call.error : CUDA_ERROR_INVALID_VALUE;
}

// Measured: none gives 1, and one that was destroyed crashes.
CUresult find_memory(CUexternalMemory handle, ExternalMemory*& memory) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  memory = ExternalMemory::find(handle);
  return memory != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

}  // namespace

// cuImportExternalMemory. Errors: NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE, OPERATING_SYSTEM. Measured:
// without a context 201. The descriptor is the driver's from here on, and closed, once it is looked at: also
// where it stands for a pool (801) or for something else (999). A dma-buf gives 801.
CUresult CUDAAPI cuImportExternalMemory(CUexternalMemory* memory,
                                        const CUDA_EXTERNAL_MEMORY_HANDLE_DESC* said) {
  const Changing call;
  if (call.error) return call.error;
  if (memory == nullptr || said == nullptr) return CUDA_ERROR_INVALID_VALUE;
  constexpr int kDmaBuffer = 9;  // a type that the header of CUDA 13.0 does not have
  if (static_cast<int>(said->type) == kDmaBuffer) return CUDA_ERROR_NOT_SUPPORTED;
  const bool right = said->type == CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD && said->size != 0 &&
                     (said->flags & ~unsigned{CUDA_EXTERNAL_MEMORY_DEDICATED}) == 0;
  if (!right) return CUDA_ERROR_INVALID_VALUE;
  const int descriptor = said->handle.fd;
  auto file = SharedFile::import(descriptor);
  if (file == nullptr) {
    const bool of_pool = LedgerKey::read_file(descriptor, Lent::Pool).has_value();
    close(descriptor);
    return of_pool ? CUDA_ERROR_NOT_SUPPORTED : CUDA_ERROR_UNKNOWN;
  }
  auto made = std::make_unique<ExternalMemory>(*call.context, std::move(file), said->size);
  const CUexternalMemory handle = made->handle();
  call.context->own(std::move(made));
  close(descriptor);
  *memory = handle;
  return CUDA_SUCCESS;
}

// cuExternalMemoryGetMappedBuffer. Errors: NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE. Measured: the
// buffer is the importing context's, whichever is current (external_contexts, step 10). It is freed by
// cuMemFree, which waits (external_life, steps 23 and 24).
CUresult CUDAAPI cuExternalMemoryGetMappedBuffer(CUdeviceptr* address, CUexternalMemory handle,
                                                 const CUDA_EXTERNAL_MEMORY_BUFFER_DESC* said) {
  const Changing call;
  if (call.error) return call.error;
  if (address == nullptr || said == nullptr) return CUDA_ERROR_INVALID_VALUE;
  ExternalMemory* memory = nullptr;
  if (const CUresult error = find_memory(handle, memory)) return error;
  if (said->flags != 0) return CUDA_ERROR_INVALID_VALUE;
  return memory->map(said->offset, said->size, *address);
}

// cuExternalMemoryGetMappedMipmappedArray. Errors: as cuExternalMemoryGetMappedBuffer.
CUresult CUDAAPI cuExternalMemoryGetMappedMipmappedArray(
    CUmipmappedArray* array, CUexternalMemory handle, const CUDA_EXTERNAL_MEMORY_MIPMAPPED_ARRAY_DESC* said) {
  const Reading call;
  if (call.error) return call.error;
  if (array == nullptr || said == nullptr) return CUDA_ERROR_INVALID_VALUE;
  ExternalMemory* memory = nullptr;
  if (const CUresult error = find_memory(handle, memory)) return error;
  return refuse(CUDA_ERROR_NOT_SUPPORTED, "Arrays are not mapped from external memory");
}

// cuDestroyExternalMemory. Errors: NOT_INITIALIZED, INVALID_HANDLE. Measured: buffers stay, and it does not
// wait for work that uses them (external_life, steps 9 to 13 and 26 to 30).
CUresult CUDAAPI cuDestroyExternalMemory(CUexternalMemory handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  ExternalMemory* memory = nullptr;
  if (const CUresult error = find_memory(handle, memory)) return error;
  memory->context.disown(memory);
  return CUDA_SUCCESS;
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
  return no_semaphore();
}
CUresult CUDAAPI cuSignalExternalSemaphoresAsync_ptsz(const CUexternalSemaphore*,
                                                      const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS*,
                                                      unsigned int, CUstream) {
  return no_semaphore();
}

// cuWaitExternalSemaphoresAsync. Errors: NOT_INITIALIZED, INVALID_HANDLE, NOT_SUPPORTED, TIMEOUT.
CUresult CUDAAPI cuWaitExternalSemaphoresAsync(const CUexternalSemaphore*,
                                               const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned int,
                                               CUstream) {
  return no_semaphore();
}
CUresult CUDAAPI cuWaitExternalSemaphoresAsync_ptsz(const CUexternalSemaphore*,
                                                    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS*, unsigned int,
                                                    CUstream) {
  return no_semaphore();
}

// cuDestroyExternalSemaphore. Errors: NOT_INITIALIZED, INVALID_HANDLE. Measured: none gives 1.
CUresult CUDAAPI cuDestroyExternalSemaphore(CUexternalSemaphore) {
  return no_semaphore();
}

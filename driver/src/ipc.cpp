// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Memory Management" that lend memory to another process, and of "Event
// Management" that share an event with one.
//
// A handle is valid in every process of the same user on the same machine, as long as the process that made
// it runs; that process itself cannot open it (truth ipc_same_process, steps 2 and 9). core/ledger.hpp
// describes the entries of the ledger.
#include <unistd.h>

#include "core/borrowed_memory.hpp"
#include "core/call.hpp"
#include "core/shared_event.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

CUresult read_key(const void* handle, Lent expected, LedgerKey& key) {
  const auto read = LedgerKey::read(handle, expected);
  if (!read) return CUDA_ERROR_INVALID_HANDLE;
  if (read->process == static_cast<std::uint32_t>(getpid())) return CUDA_ERROR_INVALID_CONTEXT;
  key = *read;
  return CUDA_SUCCESS;
}

CUresult open_memory(CUdeviceptr* address, const CUipcMemHandle& handle, unsigned flags) {
  const Changing call;
  if (call.error) return call.error;
  if (address == nullptr || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) return CUDA_ERROR_INVALID_VALUE;
  LedgerKey key;
  if (const CUresult error = read_key(&handle, Lent::Memory, key)) return error;
  if (BorrowedMemory* const opened = BorrowedMemory::opened(key, *call.context)) {
    ++opened->uses;
    *address = opened->window().address();
    return CUDA_SUCCESS;
  }
  std::shared_ptr<BorrowedMemory> memory;
  if (const CUresult error = BorrowedMemory::open(key, *call.context, memory)) return error;
  *address = memory->window().address();
  Driver::get().memory().borrow(*call.context, memory);
  return CUDA_SUCCESS;
}

}  // namespace

// cuIpcGetMemHandle. Errors: INVALID_HANDLE, INVALID_CONTEXT, OUT_OF_MEMORY, MAP_FAILED, INVALID_VALUE. For
// memory of cuMemAlloc; an address inside of it refers to the whole. Measured: an invalid address gives
// 1 (ipc_same_process, step 3). OPERATING_SYSTEM when the program has closed the driver's descriptors.
CUresult CUDAAPI cuIpcGetMemHandle(CUipcMemHandle* handle, CUdeviceptr address) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Memory& memory = Driver::get().memory();
  Allocation* const allocation = memory.find(address);
  if (allocation == nullptr || !allocation->can_be_lent()) return CUDA_ERROR_INVALID_VALUE;
  LedgerKey key;
  if (const CUresult error = lend(*allocation, memory.arena(allocation->owner->device()), key)) return error;
  key.write(handle);
  return CUDA_SUCCESS;
}

// cuIpcOpenMemHandle. Errors: INVALID_CONTEXT, MAP_FAILED, INVALID_HANDLE, INVALID_VALUE. Opened again in the
// same context it is the same address, to be closed as often. Measured: in the process that made it 201
// (ipc_same_process, step 2).
CUresult CUDAAPI cuIpcOpenMemHandle_v2(CUdeviceptr* address, CUipcMemHandle handle, unsigned int flags) {
  return open_memory(address, handle, flags);
}

CUresult CUDAAPI cuIpcOpenMemHandle(CUdeviceptr* address, CUipcMemHandle handle, unsigned int flags) {
  return open_memory(address, handle, flags);
}

// cuIpcCloseMemHandle. Errors: INVALID_CONTEXT, MAP_FAILED, INVALID_HANDLE, INVALID_VALUE. Measured: memory
// of one's own gives 1 (ipc_same_process, step 4).
CUresult CUDAAPI cuIpcCloseMemHandle(CUdeviceptr address) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([address] { return users_of(address); });
  Context* current = nullptr;
  if (const CUresult error = current_context(current)) return error;
  Memory& memory = Driver::get().memory();
  Allocation* const allocation = memory.find(address);
  if (allocation == nullptr || allocation->base != address || allocation->borrowed == nullptr)
    return CUDA_ERROR_INVALID_VALUE;
  if (--allocation->borrowed->uses == 0) memory.free(*allocation);
  return CUDA_SUCCESS;
}

// cuIpcGetEventHandle. Errors: INVALID_HANDLE, OUT_OF_MEMORY, MAP_FAILED, INVALID_VALUE. Measured: an event
// without CU_EVENT_INTERPROCESS gives 400 (ipc_same_process, step 6).
CUresult CUDAAPI cuIpcGetEventHandle(CUipcEventHandle* handle, CUevent event_handle) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Event* const event = Event::find(event_handle);
  if (event == nullptr || (event->flags & CU_EVENT_INTERPROCESS) == 0) return CUDA_ERROR_INVALID_HANDLE;
  const auto key = event->shared->key();
  if (!key) return CUDA_ERROR_OPERATING_SYSTEM;
  key->write(handle);
  return CUDA_SUCCESS;
}

// cuIpcOpenEventHandle. Errors: INVALID_CONTEXT, MAP_FAILED, PEER_ACCESS_UNSUPPORTED, INVALID_HANDLE,
// INVALID_VALUE. An event of this context that keeps no time, destroyed by cuEventDestroy. Measured: in the
// process that made it 201 (ipc_same_process, step 9).
CUresult CUDAAPI cuIpcOpenEventHandle(CUevent* event_handle, CUipcEventHandle handle) {
  const Changing call;
  if (call.error) return call.error;
  if (event_handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  LedgerKey key;
  if (const CUresult error = read_key(&handle, Lent::Event, key)) return error;
  auto shared = SharedEvent::open(key);
  if (shared == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  auto event = std::make_unique<Event>(*call.context, CU_EVENT_DISABLE_TIMING, std::move(shared));
  *event_handle = event->handle();
  call.context->own(std::move(event));
  return CUDA_SUCCESS;
}

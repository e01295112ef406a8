// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Stream Ordered Memory Allocator" that share pools between processes.
//
// The file that stands for a pool holds the same kind of key as a handle of inter-process memory, and so do
// the 64 bytes that stand for an allocation: core/ledger.hpp. So memory can be imported while the process
// that made it runs, and what was imported stays after that.
#include <unistd.h>

#include "core/borrowed_memory.hpp"
#include "core/call.hpp"
#include "core/pool.hpp"
#include "core/shared_file.hpp"

using namespace driver;

namespace {

CUresult key_of(Pool& pool, LedgerKey& key) {
  Ledger* const ledger = Ledger::own();
  if (ledger == nullptr) return CUDA_ERROR_OPERATING_SYSTEM;
  if (!pool.lent) {
    const auto number = ledger->take();
    if (!number) return CUDA_ERROR_OUT_OF_MEMORY;
    ledger->entry(*number).device.store(pool.device.ordinal());
    ledger->lend(*number, Lent::Pool);
    pool.lent = number;
  }
  const auto found = ledger->key(*pool.lent);
  if (!found) return CUDA_ERROR_OPERATING_SYSTEM;
  key = *found;
  return CUDA_SUCCESS;
}

CUresult write_key(const LedgerKey& key, int& descriptor) {
  const int file = create_memory_file("embedded-gpu-pool", sizeof key);
  if (file < 0) return CUDA_ERROR_OPERATING_SYSTEM;
  if (pwrite(file, &key, sizeof key, 0) != static_cast<ssize_t>(sizeof key)) {
    close(file);
    return CUDA_ERROR_OPERATING_SYSTEM;
  }
  descriptor = file;
  return CUDA_SUCCESS;
}

}  // namespace

// cuMemPoolExportToShareableHandle. Errors: INVALID_VALUE, OUT_OF_MEMORY, OPERATING_SYSTEM.
CUresult CUDAAPI cuMemPoolExportToShareableHandle(void* handle, CUmemoryPool pool_handle,
                                                  CUmemAllocationHandleType type, unsigned long long flags) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Pool* const pool = Pools::get().find(pool_handle);
  if (handle == nullptr || pool == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR || pool->shared_by != type || pool->imported)
    return CUDA_ERROR_INVALID_VALUE;
  LedgerKey key;
  if (const CUresult error = key_of(*pool, key)) return error;
  int descriptor = -1;
  if (const CUresult error = write_key(key, descriptor)) return error;
  return answer_with(handle, descriptor);
}

// cuMemPoolImportFromShareableHandle. Errors: INVALID_VALUE, OUT_OF_MEMORY. The descriptor is the program's
// to close. Measured: imported twice it is the same pool; a descriptor of something else gives 999.
CUresult CUDAAPI cuMemPoolImportFromShareableHandle(CUmemoryPool* pool, void* handle,
                                                    CUmemAllocationHandleType type,
                                                    unsigned long long flags) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (pool == nullptr || flags != 0 || type != CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR)
    return CUDA_ERROR_INVALID_VALUE;
  const auto descriptor = static_cast<int>(reinterpret_cast<std::intptr_t>(handle));
  // Memory of cuMemCreate: truth share_import_arguments, step 20.
  if (SharedFile::import(descriptor) != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const auto key = LedgerKey::read_file(descriptor, Lent::Pool);
  const auto ledger = key ? Ledger::of(*key) : nullptr;
  if (ledger == nullptr) return CUDA_ERROR_UNKNOWN;
  const LedgerEntry& entry = ledger->entry(key->entry);
  Device* const device = Driver::get().device(entry.device.load());
  if (entry.lent.load() != Lent::Pool || entry.key() != key->token || device == nullptr)
    return CUDA_ERROR_UNKNOWN;
  Pool* known = Pools::get().imported_by(key->token);
  if (known == nullptr) {
    known = &Pools::get().create(*device, 0);
    known->shared_by = type;
    known->imported = key->token;
  }
  *pool = known->handle();
  return CUDA_SUCCESS;
}

// cuMemPoolExportPointer. Errors: INVALID_VALUE, OUT_OF_MEMORY, OPERATING_SYSTEM.
CUresult CUDAAPI cuMemPoolExportPointer(CUmemPoolPtrExportData* data, CUdeviceptr address) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Memory& memory = Driver::get().memory();
  Allocation* const allocation = memory.find(address);
  if (data == nullptr || allocation == nullptr || allocation->base != address)
    return CUDA_ERROR_INVALID_VALUE;
  const Pool* const pool = Pools::get().of(*allocation);
  if (pool == nullptr || pool->shared_by == CU_MEM_HANDLE_TYPE_NONE || pool->imported)
    return CUDA_ERROR_INVALID_VALUE;
  LedgerKey key;
  if (const CUresult error = lend(*allocation, memory.arena(allocation->owner->device()), key)) return error;
  static_assert(sizeof *data == sizeof key);
  key.write(data);
  return CUDA_SUCCESS;
}

// cuMemPoolImportPointer. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// OUT_OF_MEMORY.
CUresult CUDAAPI cuMemPoolImportPointer(CUdeviceptr* address, CUmemoryPool pool_handle,
                                        CUmemPoolPtrExportData* data) {
  const Changing call;
  if (call.error) return call.error;
  const Pool* const pool = Pools::get().find(pool_handle);
  if (address == nullptr || pool == nullptr || data == nullptr || !pool->imported)
    return CUDA_ERROR_INVALID_VALUE;
  const auto key = LedgerKey::read(data, Lent::Memory);
  if (!key) return CUDA_ERROR_INVALID_VALUE;
  if (BorrowedMemory* const opened = BorrowedMemory::opened(*key, *call.context)) {
    *address = opened->window().address();  // measured: to be freed once, however often it was imported
    return CUDA_SUCCESS;
  }
  std::shared_ptr<BorrowedMemory> memory;
  if (const CUresult error = BorrowedMemory::open(*key, *call.context, memory))
    return error == CUDA_ERROR_INVALID_HANDLE ? CUDA_ERROR_INVALID_VALUE : error;
  *address = memory->window().address();
  Driver::get().memory().borrow(*call.context, memory, pool_handle, pool->use);
  return CUDA_SUCCESS;
}

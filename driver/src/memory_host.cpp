// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Memory Management" for pinned host memory: allocated or registered.
//
// With unified addressing one address serves host and device, and every such allocation can be reached from
// every context.
#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/log.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

constexpr unsigned kAllocationFlags =
    CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP | CU_MEMHOSTALLOC_WRITECOMBINED;
constexpr unsigned kRegistrationFlags = CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP |
                                        CU_MEMHOSTREGISTER_IOMEMORY | CU_MEMHOSTREGISTER_READ_ONLY;

Allocation* find_host(const void* address) {
  Allocation* const allocation = Driver::get().memory().find(reinterpret_cast<std::uint64_t>(address));
  if (allocation == nullptr) return nullptr;
  const bool host =
      allocation->kind == MemoryKind::PinnedHost || allocation->kind == MemoryKind::RegisteredHost;
  return host ? allocation : nullptr;
}

bool begins_at(const Allocation* allocation, const void* address, MemoryKind kind) {
  return allocation != nullptr && allocation->kind == kind &&
         allocation->base == reinterpret_cast<std::uint64_t>(address);
}

CUresult allocate(void** address, std::size_t size, unsigned flags) {
  if (const CUresult error = unsafe_call()) return error;
  const Changing call;
  if (call.error) return call.error;
  if (address == nullptr || (flags & ~kAllocationFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  *address = nullptr;
  if (size == 0) return CUDA_SUCCESS;  // measured: nothing can be had (nulls, steps 4 to 7)
  return Driver::get().memory().allocate_host(*call.context, MemoryKind::PinnedHost, size, flags, *address);
}

}  // namespace

// cuMemAllocHost. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY.
CUresult CUDAAPI cuMemAllocHost_v2(void** address, size_t size) {
  return allocate(address, size, 0);
}

// cuMemHostAlloc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY.
CUresult CUDAAPI cuMemHostAlloc(void** address, size_t size, unsigned int flags) {
  return allocate(address, size, flags);
}

// cuMemFreeHost. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: twice, or
// of other memory, gives 1 (memory_errors, steps 45 and 46).
CUresult CUDAAPI cuMemFreeHost(void* address) {
  if (const CUresult error = Driver::ready()) return error;
  if (const CUresult error = unsafe_call()) return error;
  const auto lock = lock_when_done([address] { return users_of(reinterpret_cast<std::uint64_t>(address)); });
  if (const CUresult error = may_free()) return error;
  Allocation* const allocation = find_host(address);
  if (!begins_at(allocation, address, MemoryKind::PinnedHost)) return CUDA_ERROR_INVALID_VALUE;
  Driver::get().memory().free(*allocation);
  return CUDA_SUCCESS;
}

// cuMemHostRegister. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY,
// HOST_MEMORY_ALREADY_REGISTERED, NOT_PERMITTED, NOT_SUPPORTED. Measured: memory_errors, steps 47 and 48;
// what the program itself may only read has to be registered to be read only (register_read_only).
CUresult CUDAAPI cuMemHostRegister_v2(void* address, size_t size, unsigned int flags) {
  if (const CUresult error = unsafe_call()) return error;
  const Changing call;
  if (call.error) return call.error;
  if (address == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "Value of parameter pBase cannot be NULL");
  if (size == 0 || (flags & ~kRegistrationFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & CU_MEMHOSTREGISTER_IOMEMORY) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  return Driver::get().memory().register_host(*call.context, address, size, flags);
}

// cuMemHostUnregister. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY,
// HOST_MEMORY_NOT_REGISTERED. Measured: memory_errors, steps 49 and 50; inside of a registered range, not at
// its start, 1 (host_memory, step 69).
CUresult CUDAAPI cuMemHostUnregister(void* address) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([address] { return users_of(reinterpret_cast<std::uint64_t>(address)); });
  if (const CUresult error = may_free()) return error;
  if (address == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Allocation* const allocation = find_host(address);
  if (allocation == nullptr || allocation->kind != MemoryKind::RegisteredHost)
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  if (!begins_at(allocation, address, MemoryKind::RegisteredHost)) return CUDA_ERROR_INVALID_VALUE;
  Driver::get().memory().free(*allocation);
  return CUDA_SUCCESS;
}

// cuMemHostGetDevicePointer. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. The same
// address: that is what unified addressing says.
CUresult CUDAAPI cuMemHostGetDevicePointer_v2(CUdeviceptr* device_address, void* address,
                                              unsigned int flags) {
  const Reading call;
  if (call.error) return call.error;
  if (device_address == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (find_host(address) == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *device_address = reinterpret_cast<CUdeviceptr>(address);
  return CUDA_SUCCESS;
}

// cuMemHostGetFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. The flags it was
// allocated with, and CU_MEMHOSTALLOC_DEVICEMAP always: with unified addressing all of it is mapped
// (host_memory).
CUresult CUDAAPI cuMemHostGetFlags(unsigned int* flags, void* address) {
  const Reading call;
  if (call.error) return call.error;
  const Allocation* const allocation = find_host(address);
  if (flags == nullptr || allocation == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = allocation->flags | CU_MEMHOSTALLOC_DEVICEMAP;
  return CUDA_SUCCESS;
}

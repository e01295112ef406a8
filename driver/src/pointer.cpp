// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Unified Addressing": what is known about an address.
//
// Every address that was allocated or registered here has attributes; an ordinary host address has none.
#include <cstring>

#include "core/call.hpp"
#include "core/virtual_memory.hpp"

using namespace driver;

namespace {

// Base and size of the addresses that belong together.
std::pair<std::uint64_t, std::uint64_t> range_of(const Allocation& allocation) {
  const auto whole = allocation.kind == MemoryKind::Virtual
                         ? Driver::get().memory().reservation(allocation.base)
                         : std::nullopt;
  return whole.value_or(std::pair(allocation.base, allocation.size));
}

bool lives_on_device(const Allocation& allocation) {
  return allocation.kind == MemoryKind::Device || allocation.kind == MemoryKind::Managed ||
         allocation.kind == MemoryKind::Virtual;
}

// As what memory of cuMemCreate may be exported.
unsigned long long handle_types(const Allocation& allocation) {
  if (allocation.kind != MemoryKind::Virtual) return 0;
  return static_cast<unsigned long long>(VirtualMemory::get().handle_types_at(allocation.base));
}

// The context that asks; without one its owner.
const Context& user_of(const Allocation& allocation) {
  Context* const current = ContextStack::of_this_thread().top();
  return current != nullptr ? current->home() : *allocation.owner;
}

CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS access_flags(const Allocation& allocation) {
  const Context& user = user_of(allocation);
  if (allocation.kind == MemoryKind::Virtual) {
    CUmemAccess_flags given = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    VirtualMemory::get().access(allocation.base, user.device(), given);
    return static_cast<CUDA_POINTER_ATTRIBUTE_ACCESS_FLAGS>(given);  // the numbers are the same
  }
  // Measured: of a pool's memory, whether the device may use it or not (truth peer_pool_copies, step 22).
  return allocation.kept_by_pool() || allocation.reachable_from(user)
             ? CU_POINTER_ATTRIBUTE_ACCESS_FLAG_READWRITE
             : CU_POINTER_ATTRIBUTE_ACCESS_FLAG_NONE;
}

CUresult ask(const Allocation& allocation, CUpointer_attribute attribute, CUdeviceptr address, void* result) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      return answer_with(result, allocation.has_context() ? allocation.owner->handle() : nullptr);
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      return answer_with<unsigned>(result,
                                   lives_on_device(allocation) ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST);
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      // Measured: truth peer_pool_copies, steps 23 and 47.
      if (allocation.kept_by_pool() && !allocation.reachable_from(user_of(allocation)))
        return CUDA_ERROR_INVALID_VALUE;
      return answer_with(result, address);
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      if (allocation.kind == MemoryKind::Device) return CUDA_ERROR_INVALID_VALUE;
      return answer_with(result, address);
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
      return answer_with<int>(result, allocation.sync_memops ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
      return answer_with<unsigned long long>(result, allocation.buffer_id);
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return answer_with<int>(result, allocation.kind == MemoryKind::Managed ? 1 : 0);
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return answer_with<int>(result, allocation.owner->device().ordinal());
    // Measured: of mapped memory the range is that of the reserved addresses.
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      return answer_with<CUdeviceptr>(result, range_of(allocation).first);
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      return answer_with<std::size_t>(result, range_of(allocation).second);
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
      return answer_with<CUdeviceptr>(result, allocation.base);
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
      return answer_with<std::size_t>(result, allocation.size);
    case CU_POINTER_ATTRIBUTE_MAPPED:
      return answer_with<int>(result, 1);
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
      return answer_with<unsigned long long>(result, handle_types(allocation));
    case CU_POINTER_ATTRIBUTE_ACCESS_FLAGS:
      return answer_with<unsigned>(result, access_flags(allocation));
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      return answer_with(result, allocation.pool);
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      return answer_with<int>(result, allocation.can_be_lent() ? 1 : 0);
    // Nothing here can be shared with another machine or a decompressor.
    case CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE:
    case CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE:
      return answer_with<int>(result, 0);
    case CU_POINTER_ATTRIBUTE_P2P_TOKENS:
      return CUDA_ERROR_NOT_SUPPORTED;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// The results of cuPointerGetAttributes for an address without attributes: "default NULL values", and for the
// device the number that means none.
void give_default(CUpointer_attribute attribute, void* result) {
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      answer_with<int>(result, CU_DEVICE_INVALID);
      break;
    case CU_POINTER_ATTRIBUTE_CONTEXT:
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
    case CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID:
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
    case CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR:
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
    case CU_POINTER_ATTRIBUTE_MAPPING_SIZE:
    case CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES:
    case CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE:
      answer_with<std::uint64_t>(result, 0);
      break;
    default:
      answer_with<int>(result, 0);
  }
}

bool is_attribute(CUpointer_attribute attribute) {
  return attribute >= CU_POINTER_ATTRIBUTE_CONTEXT &&
         attribute <= CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE;
}

}  // namespace

// cuPointerGetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_DEVICE. Measured: an ordinary host address gives 1 (memory_across_contexts, step 20); the owner
// is the context that allocated, whatever is current (steps 14 to 17); memory of pools, of graphs and of
// cuMemCreate has none. Asked for the pool of memory of cuMemAlloc (MEMPOOL_HANDLE), the call succeeds with
// null; it does not fail with 1 (conformance:
// memory.of_a_stream_has_no_context_and_that_of_everybody_no_pool).
CUresult CUDAAPI cuPointerGetAttribute(void* result, CUpointer_attribute attribute, CUdeviceptr address) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (result == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Allocation* const allocation = Driver::get().memory().find(address);
  if (allocation == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return ask(*allocation, attribute, address, result);
}

// cuPointerGetAttributes. Errors: DEINITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_DEVICE. Unlike in
// the one above, it is no error if an address has no such attribute: the result is then a default.
CUresult CUDAAPI cuPointerGetAttributes(unsigned int count, CUpointer_attribute* attributes, void** results,
                                        CUdeviceptr address) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (count == 0 || attributes == nullptr || results == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (unsigned i = 0; i < count; ++i) {
    if (results[i] == nullptr || !is_attribute(attributes[i])) return CUDA_ERROR_INVALID_VALUE;
  }
  const Allocation* const allocation = Driver::get().memory().find(address);
  for (unsigned i = 0; i < count; ++i) {
    // Measured: an address that the driver does not know counts as a host's own (pointer_host, steps 5 and
    // 16).
    if (allocation == nullptr && attributes[i] == CU_POINTER_ATTRIBUTE_HOST_POINTER) {
      answer_with(results[i], address);
    } else if (allocation == nullptr ||
               ask(*allocation, attributes[i], address, results[i]) != CUDA_SUCCESS) {
      give_default(attributes[i], results[i]);
    }
  }
  return CUDA_SUCCESS;
}

// cuPointerSetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_DEVICE. Only SYNC_MEMOPS can be set, on any memory that the driver knows, pinned and managed too
// (measured).
CUresult CUDAAPI cuPointerSetAttribute(const void* value, CUpointer_attribute attribute,
                                       CUdeviceptr address) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (value == nullptr || attribute != CU_POINTER_ATTRIBUTE_SYNC_MEMOPS) return CUDA_ERROR_INVALID_VALUE;
  Allocation* const allocation = Driver::get().memory().find(address);
  if (allocation == nullptr) return CUDA_ERROR_INVALID_VALUE;
  int wanted = 0;
  std::memcpy(&wanted, value, sizeof wanted);
  allocation->sync_memops = wanted != 0;
  return CUDA_SUCCESS;
}

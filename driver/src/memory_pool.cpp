// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Stream Ordered Memory Allocator".
//
// The order of errors is measured: truth pool_arguments, and streams_events up to where the real driver
// crashed.
#include <cstring>
#include <span>

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/graph_memory_operation.hpp"
#include "core/per_thread_variants.hpp"
#include "core/pool.hpp"

using namespace driver;

namespace {

Pool* find_pool(CUmemoryPool handle) {
  return Pools::get().find(handle);
}

// Measured: an imported pool has no attributes, cannot be trimmed, and is nobody's current one.
Pool* find_own_pool(CUmemoryPool handle) {
  Pool* const pool = find_pool(handle);
  return pool != nullptr && !pool->imported ? pool : nullptr;
}

// In a captured stream it is a node, which has its memory from now on. What the capture does not take is
// given back here, not below: the queue's order is held there, and giving back asks for it.
CUresult capture_allocation(Context& context, Queue& queue, const Pool& pool, std::size_t size,
                            CUdeviceptr& address) {
  CUDA_MEM_ALLOC_NODE_PARAMS parameters{};
  parameters.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  parameters.poolProps.location = {CU_MEM_LOCATION_TYPE_DEVICE, pool.device.ordinal()};
  parameters.bytesize = size;
  const auto memory = std::make_shared<GraphMemory>(parameters);
  if (const CUresult error = GraphMemory::allocate(memory, context)) return error;
  const CUresult error = queue.enqueue(std::make_shared<AllocateOperation>(memory));
  if (error == CUDA_SUCCESS) address = memory->parameters().dptr;
  return error;
}

// Null means the current pool of the current device; with `required` it is an error.
CUresult allocate(CUdeviceptr* address, std::size_t size, CUmemoryPool pool_handle, bool required,
                  CUstream stream) {
  const Changing call;
  if (call.error) return call.error;
  if (address == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Pool* const pool = required ? find_pool(pool_handle) : &Pools::get().current_of(call.context->device());
  if (pool == nullptr || pool->imported) return CUDA_ERROR_INVALID_VALUE;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  if (size == 0) {
    *address = 0;
    return CUDA_SUCCESS;
  }
  if (queue->capture != nullptr) {
    if (pool->kind != PoolKind::Device) return CUDA_ERROR_NOT_SUPPORTED;
    return capture_allocation(*call.context, *queue, *pool, size, *address);
  }
  if (const CUresult error = unsafe_call()) return error;
  return pool->allocate(*call.context, *queue, size, *address);
}

CUresult free_in_order(CUdeviceptr address, CUstream stream) {
  const Changing call;
  if (call.error) return call.error;
  Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  if (address == 0) return CUDA_SUCCESS;
  // "During stream capture, this API creates a memory free node": of what that graph allocated, nothing else.
  if (queue->capture != nullptr) return queue->enqueue(std::make_shared<FreeOperation>(address));
  if (const CUresult error = unsafe_call()) return error;
  Memory& memory = Driver::get().memory();
  const Allocation* const allocation = memory.find(address);
  if (allocation == nullptr || allocation->base != address || allocation->of_module)
    return CUDA_ERROR_INVALID_VALUE;
  if (allocation->external != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  const bool own = allocation->kind == MemoryKind::Device && allocation->borrowed == nullptr;
  if (!own && allocation->pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (allocation->of_graph) {
    const std::lock_guard graphs(Graphs::get().lock);
    if (const std::shared_ptr<GraphMemory> made = GraphMemory::find(address)) {
      made->set_awake(false);
      return CUDA_SUCCESS;
    }
  }
  // Memory of cuMemAlloc can be freed in order, too, and so can what a destroyed pool left.
  Pool& pool = Pools::get().taking_back(*allocation);
  CompletionPointer moment = queue->moment();
  const std::uint64_t number = Pools::get().next_free_number();
  if (moment != nullptr) queue->note_free(number, moment);
  pool.take_back(memory.detach(address), std::move(moment), queue, number);
  return CUDA_SUCCESS;
}

// Measured: the node of the calling thread gives 801; kinds that there are not, a device or node that is
// not there, and pinned memory of no place 1. Of the host any number will do.
CUresult place_of(const CUmemLocation& location, CUmemAllocationType type, CUresult unknown_device,
                  PoolPlace& place) {
  if (location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT) return CUDA_ERROR_NOT_SUPPORTED;
  const bool managed = type == CU_MEM_ALLOCATION_TYPE_MANAGED;
  if (!managed && type != CU_MEM_ALLOCATION_TYPE_PINNED) return CUDA_ERROR_INVALID_VALUE;
  Driver& driver = Driver::get();
  place = {driver.device(0), managed ? PoolKind::Managed : PoolKind::Host, location.type};
  switch (location.type) {
    case CU_MEM_LOCATION_TYPE_INVALID:  // also CU_MEM_LOCATION_TYPE_NONE
      return managed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    case CU_MEM_LOCATION_TYPE_DEVICE:
      place.device = driver.device(location.id);
      if (!managed) place.kind = PoolKind::Device;
      return place.device != nullptr ? CUDA_SUCCESS : unknown_device;
    case CU_MEM_LOCATION_TYPE_HOST:
      return CUDA_SUCCESS;
    case CU_MEM_LOCATION_TYPE_HOST_NUMA:
      return location.id == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// What a list says of the devices that may use a pool's memory; all of it, or nothing where something is
// wrong.
CUresult let_in(Pool& pool, std::span<const CUmemAccessDesc> list) {
  std::uint64_t guests = pool.use->guests;
  for (const CUmemAccessDesc& said : list) {
    if (said.location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_NOT_SUPPORTED;
    const Device* const device = Driver::get().device(said.location.id);
    if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    const bool own = device == &pool.device;
    switch (said.flags) {
      case CU_MEM_ACCESS_FLAGS_PROT_NONE:
        if (own) return CUDA_ERROR_INVALID_DEVICE;
        guests &= ~guest_bit(*device);
        break;
      case CU_MEM_ACCESS_FLAGS_PROT_READWRITE:
        if (!own) guests |= guest_bit(*device);
        break;
      case CU_MEM_ACCESS_FLAGS_PROT_READ:
        return CUDA_ERROR_NOT_SUPPORTED;
      default:
        return CUDA_ERROR_INVALID_VALUE;
    }
  }
  pool.use->guests = guests;
  Driver::get().memory().journal().admit(pool.use.get(), guests);
  return CUDA_SUCCESS;
}

template <typename Which>
CUresult give_pool(CUmemoryPool* pool, CUdevice handle, CUresult unknown_device, Which which) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Device* const device = Driver::get().device(handle);
  if (device == nullptr) return unknown_device;
  *pool = which(*device).handle();
  return CUDA_SUCCESS;
}

CUresult give_pool_at(CUmemoryPool* pool, const CUmemLocation* location, CUmemAllocationType type,
                      Pool& (Pools::*which)(const PoolPlace&)) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (pool == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  PoolPlace place;
  if (const CUresult error = place_of(*location, type, CUDA_ERROR_INVALID_VALUE, place)) return error;
  *pool = (Pools::get().*which)(place).handle();
  return CUDA_SUCCESS;
}

Pool& default_pool(const Device& device) {
  return Pools::get().default_of(device);
}
Pool& current_pool(const Device& device) {
  return Pools::get().current_of(device);
}

}  // namespace

// Measured: in a stream that is not captured, allocating and freeing are as unsafe beside a capture as
// cuMemAlloc is (900).

// cuMemAllocAsync. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_SUPPORTED,
// OUT_OF_MEMORY. Measured: a size of 0 is fine (pool_arguments, step 6).
ON_STREAM(cuMemAllocAsync, (CUdeviceptr * address, size_t size, CUstream stream),
          allocate(address, size, nullptr, false, stream))

// cuMemAllocFromPoolAsync. Errors: as cuMemAllocAsync. Measured: no pool gives 1 (pool_arguments, step 25).
ON_STREAM(cuMemAllocFromPoolAsync, (CUdeviceptr * address, size_t size, CUmemoryPool pool, CUstream stream),
          allocate(address, size, pool, true, stream))

// cuMemFreeAsync. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_SUPPORTED.
// Measured: twice gives 1 (pool_arguments, step 9), and a buffer of external memory 801 (external_buffer,
// step 60). The memory counts as reserved until the program waits for
// a stream (sm_reserved_small, steps 16 and 21).
ON_STREAM(cuMemFreeAsync, (CUdeviceptr address, CUstream stream), free_in_order(address, stream))

// cuDeviceGetDefaultMemPool. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_DEVICE, NOT_SUPPORTED.
CUresult CUDAAPI cuDeviceGetDefaultMemPool(CUmemoryPool* pool, CUdevice device) {
  return give_pool(pool, device, CUDA_ERROR_INVALID_DEVICE, default_pool);
}

// cuDeviceGetMemPool. Errors: INVALID_VALUE, NOT_SUPPORTED. Measured: an unknown device gives 1, where
// cuDeviceGetDefaultMemPool returns 101.
CUresult CUDAAPI cuDeviceGetMemPool(CUmemoryPool* pool, CUdevice device) {
  return give_pool(pool, device, CUDA_ERROR_INVALID_VALUE, current_pool);
}

// cuDeviceSetMemPool. Errors: INVALID_VALUE. The pool has to be of that device.
CUresult CUDAAPI cuDeviceSetMemPool(CUdevice handle, CUmemoryPool pool_handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  const Device* const device = Driver::get().device(handle);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  Pool* const pool = find_own_pool(pool_handle);
  if (pool == nullptr || pool->kind != PoolKind::Device || &pool->device != device) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  Pools::get().set_current(*device, *pool);
  return CUDA_SUCCESS;
}

// cuMemGetDefaultMemPool, cuMemGetMemPool, cuMemSetMemPool. Errors: DEINITIALIZED, NOT_INITIALIZED,
// INVALID_CONTEXT, INVALID_VALUE, INVALID_DEVICE, NOT_SUPPORTED. Measured: every place that has memory has a
// pool for each kind of it.
CUresult CUDAAPI cuMemGetDefaultMemPool(CUmemoryPool* pool, CUmemLocation* location,
                                        CUmemAllocationType type) {
  return give_pool_at(pool, location, type, &Pools::default_at);
}
CUresult CUDAAPI cuMemGetMemPool(CUmemoryPool* pool, CUmemLocation* location, CUmemAllocationType type) {
  return give_pool_at(pool, location, type, &Pools::current_at);
}
CUresult CUDAAPI cuMemSetMemPool(CUmemLocation* location, CUmemAllocationType type, CUmemoryPool handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Pool* const pool = find_own_pool(handle);
  if (location == nullptr || pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  PoolPlace place;
  if (const CUresult error = place_of(*location, type, CUDA_ERROR_INVALID_DEVICE, place)) return error;
  if (pool->kind != place.kind || &pool->device != place.device) return CUDA_ERROR_INVALID_VALUE;
  Pools::get().set_current_at(place, *pool);
  return CUDA_SUCCESS;
}

// cuMemPoolCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY,
// NOT_PERMITTED, NOT_SUPPORTED.
CUresult CUDAAPI cuMemPoolCreate(CUmemoryPool* pool, const CUmemPoolProps* properties) {
  if (const CUresult error = unsafe_call()) return error;
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (pool == nullptr || properties == nullptr) return CUDA_ERROR_INVALID_VALUE;
  PoolPlace place;
  const CUresult error =
      place_of(properties->location, properties->allocType, CUDA_ERROR_INVALID_DEVICE, place);
  if (error) return error;
  const CUmemAllocationHandleType shared_by = properties->handleTypes;
  // Measured: pools of a device are shared by descriptors and by fabric handles, those of a node of the host
  // by descriptors, others not at all.
  const bool by_descriptor =
      shared_by == CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR &&
      (place.kind == PoolKind::Device ||
       (place.kind == PoolKind::Host && place.location == CU_MEM_LOCATION_TYPE_HOST_NUMA));
  const bool by_fabric = shared_by == CU_MEM_HANDLE_TYPE_FABRIC && place.kind == PoolKind::Device;
  if (shared_by != CU_MEM_HANDLE_TYPE_NONE && !by_descriptor && !by_fabric) return CUDA_ERROR_INVALID_VALUE;
  Pool& made = Pools::get().create(*place.device, properties->maxSize, place.kind);
  made.shared_by = shared_by;
  *pool = made.handle();
  return CUDA_SUCCESS;
}

// cuMemPoolDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: a
// default pool gives 1, and allocations outlive theirs (pool_arguments, steps 5, 22 to 24); but an imported
// pool stays until what was imported with it is freed (1).
CUresult CUDAAPI cuMemPoolDestroy(CUmemoryPool handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Pool* const pool = find_pool(handle);
  if (pool == nullptr || Pools::get().is_default(*pool)) return CUDA_ERROR_INVALID_VALUE;
  if (pool->imported && pool->use->used != 0) return CUDA_ERROR_INVALID_VALUE;
  Pools::get().destroy(*pool);
  return CUDA_SUCCESS;
}

// cuMemPoolTrimTo. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. Measured: it does not wait; memory
// that unfinished work was enqueued before its free stays (truth sm_reserved_small, steps 31 to 34).
CUresult CUDAAPI cuMemPoolTrimTo(CUmemoryPool handle, size_t keep) {
  if (const CUresult error = unsafe_call()) return error;
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Pool* const pool = find_own_pool(handle);
  if (pool == nullptr) return CUDA_ERROR_INVALID_VALUE;
  pool->trim(keep);
  return CUDA_SUCCESS;
}

// cuMemPoolGetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE.
CUresult CUDAAPI cuMemPoolGetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Pool* const pool = find_own_pool(handle);
  if (pool == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      return answer_with(value, pool->reuse_by(attribute));
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      return answer_with<cuuint64_t>(value, pool->threshold);
    case CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT:
      return answer_with<cuuint64_t>(value, pool->reserved());
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
      return answer_with<cuuint64_t>(value, pool->reserved_high);
    case CU_MEMPOOL_ATTR_USED_MEM_CURRENT:
      return answer_with<cuuint64_t>(value, pool->use->used);
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      return answer_with<cuuint64_t>(value, pool->use->used_high);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// cuMemPoolSetAttribute. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. High marks can be set to 0
// only, current values not at all.
CUresult CUDAAPI cuMemPoolSetAttribute(CUmemoryPool handle, CUmemPool_attribute attribute, void* value) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Pool* const pool = find_own_pool(handle);
  if (pool == nullptr || value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cuuint64_t wide = 0;
  int narrow = 0;
  std::memcpy(&narrow, value, sizeof narrow);
  switch (attribute) {
    case CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC:
    case CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES:
      pool->reuse_by(attribute) = narrow != 0 ? 1 : 0;
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RELEASE_THRESHOLD:
      std::memcpy(&wide, value, sizeof wide);
      pool->threshold = wide;
      Pools::expect_release();
      return CUDA_SUCCESS;
    case CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH:
    case CU_MEMPOOL_ATTR_USED_MEM_HIGH:
      std::memcpy(&wide, value, sizeof wide);
      if (wide != 0) return CUDA_ERROR_INVALID_VALUE;
      if (attribute == CU_MEMPOOL_ATTR_USED_MEM_HIGH)
        pool->use->used_high = pool->use->used;
      else
        pool->reserved_high = pool->reserved();
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// cuMemPoolSetAccess. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE. Measured: a device that is not
// there gives 101, and so does taking its access from the pool's own device; to read only gives 801, and so
// does a place that is no device. A list with a mistake changes nothing (truth sm_access, steps 8, 9 and 20,
// and peer_pool_arguments).
CUresult CUDAAPI cuMemPoolSetAccess(CUmemoryPool handle, const CUmemAccessDesc* access, size_t count) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Pool* const pool = find_pool(handle);
  if (pool == nullptr || access == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (pool->kind == PoolKind::Device) return let_in(*pool, {access, count});
  for (std::size_t i = 0; i < count; ++i) {
    const Device* const device = Driver::get().device(access[i].location.id);
    if (access[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE) return CUDA_ERROR_INVALID_VALUE;
    if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
    pool->access[device->ordinal()] = access[i].flags;
  }
  return CUDA_SUCCESS;
}

// cuMemPoolGetAccess. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE.
CUresult CUDAAPI cuMemPoolGetAccess(CUmemAccess_flags* flags, CUmemoryPool handle, CUmemLocation* location) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  const Pool* const pool = find_pool(handle);
  if (pool == nullptr || flags == nullptr || location == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // Measured: the host may be asked about, too (truth peer_pool_arguments, steps 65 and 67).
  const bool host =
      location->type == CU_MEM_LOCATION_TYPE_HOST || location->type == CU_MEM_LOCATION_TYPE_HOST_NUMA;
  if (pool->kind == PoolKind::Device && host) {
    *flags = CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
  }
  const Device* const device = Driver::get().device(location->id);
  if (location->type != CU_MEM_LOCATION_TYPE_DEVICE || device == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (pool->kind != PoolKind::Device) {
    const auto said = pool->access.find(device->ordinal());
    *flags = said != pool->access.end() ? said->second : CU_MEM_ACCESS_FLAGS_PROT_NONE;
    return CUDA_SUCCESS;
  }
  const bool may = device == &pool->device || (pool->use->guests & guest_bit(*device)) != 0;
  *flags = may ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return CUDA_SUCCESS;
}

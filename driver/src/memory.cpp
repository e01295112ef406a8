// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Memory Management" that allocate and free device and managed memory,
// and say how much there is and where an allocation begins.
//
// Pinned host memory is in memory_host.cpp, copies in copy.cpp, filling in fill.cpp.
#include "core/memory.hpp"

#include <chrono>
#include <shared_mutex>
#include <thread>

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/graph.hpp"
#include "core/log.hpp"
#include "core/pool.hpp"
#include "core/runner.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

// Memory of a device that a pool of this process gave. What a graph allocates has no pool's handle.
bool of_a_pool(const Allocation& allocation) {
  return allocation.kept_by_pool() && allocation.pool != nullptr && allocation.borrowed == nullptr;
}

// A GPU begins work as soon as nothing is before it, in less time than a call takes. The threads that do it
// here get the same chance before memory of a pool is taken from them.
void let_ready_work_end(CUdeviceptr address) {
  constexpr std::chrono::milliseconds kChance(50);
  constexpr std::chrono::microseconds kLook(50);
  Completions users;
  {
    const std::shared_lock lock(Driver::get().lock());
    const Allocation* const freed = Driver::get().memory().find(address);
    if (freed != nullptr && of_a_pool(*freed)) users = users_of(*freed);
  }
  const auto end = std::chrono::steady_clock::now() + kChance;
  for (const CompletionPointer& user : users)
    while (!user->over() && std::chrono::steady_clock::now() < end) std::this_thread::sleep_for(kLook);
}

// Of the contexts whose work users_of() finds.
std::vector<std::shared_ptr<Runner>> runners_of_users(const Allocation& allocation) {
  std::vector<std::shared_ptr<Runner>> runners;
  const auto add = [&runners](const Context& context) {
    if (context.runner != nullptr) runners.push_back(context.runner);
  };
  add(*allocation.owner);
  Context* const current = ContextStack::of_this_thread().top();
  if (current != nullptr && &current->home() != allocation.owner) add(current->home());
  return runners;
}

}  // namespace

// cuMemGetInfo. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Of the current
// context's device.
CUresult CUDAAPI cuMemGetInfo_v2(size_t* free, size_t* total) {
  const Reading call;
  if (call.error) return call.error;
  const Memory& memory = Driver::get().memory();
  if (free != nullptr) *free = memory.available(call.context->device());
  if (total != nullptr) *total = memory.capacity(call.context->device());
  return CUDA_SUCCESS;
}

// cuMemAlloc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY.
// Measured: memory_errors, steps 6 to 13.
CUresult CUDAAPI cuMemAlloc_v2(CUdeviceptr* address, size_t size) {
  const Changing call;
  if (call.error) return call.error;
  if (const CUresult error = unsafe_call()) return error;
  if (address == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "NULL return value pointer");
  if (size == 0) return refuse(CUDA_ERROR_INVALID_VALUE, "Requested 0 byte allocation");
  return Driver::get().memory().allocate_device(*call.context, size, *address);
}

// cuMemAllocPitch. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY. The
// size of an element is 4, 8 or 16; the rows of a real card lie 512 bytes apart or a multiple of it.
CUresult CUDAAPI cuMemAllocPitch_v2(CUdeviceptr* address, size_t* pitch, size_t width, size_t height,
                                    unsigned int element_size) {
  const Changing call;
  if (call.error) return call.error;
  if (const CUresult error = unsafe_call()) return error;
  if (address == nullptr || pitch == nullptr || width == 0 || height == 0) return CUDA_ERROR_INVALID_VALUE;
  if (element_size != 4 && element_size != 8 && element_size != 16)
    return refuse(CUDA_ERROR_INVALID_VALUE, "Parameter ElementSizeBytes is invalid");
  constexpr std::size_t kRowAlignment = 512;
  const std::uint64_t total = call.context->device().total_memory();
  if (width > total || height > total) return CUDA_ERROR_OUT_OF_MEMORY;
  const std::size_t row = (width + kRowAlignment - 1) / kRowAlignment * kRowAlignment;
  if (height > total / row) return CUDA_ERROR_OUT_OF_MEMORY;
  const CUresult error = Driver::get().memory().allocate_device(*call.context, row * height, *address);
  if (error == CUDA_SUCCESS) *pitch = row;
  return error;
}

// cuMemFree. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: 0 is fine, the
// middle of an allocation is 1, and so are freeing twice (memory_errors, steps 37 to 42) and freeing a
// module's variable; with a destroyed context current even 0 gives 709. A graph's memory can be freed
// between its launches. Memory of a pool is freed without waiting for work (truth free_pending_0_pool to
// free_pending_5_pool, step 5). Work that uses it later then fails, if the pool gives it back to the device
// (the truth h200_driver_freed_pools): what has not begun, and a kernel that runs (running_4).
CUresult CUDAAPI cuMemFree_v2(CUdeviceptr address) {
  if (const CUresult error = Driver::ready()) return error;
  if (address == 0) {
    const Context* const top = ContextStack::of_this_thread().top();
    return top != nullptr && !top->alive() ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_SUCCESS;
  }
  if (const CUresult error = unsafe_call()) return error;
  let_ready_work_end(address);
  auto lock = lock_when_done([address] {
    const Allocation* const freed = Driver::get().memory().find(address);
    return freed == nullptr || of_a_pool(*freed) ? Completions{} : users_of(*freed);
  });
  if (const CUresult error = may_free()) return error;
  Memory& memory = Driver::get().memory();
  Allocation* const allocation = memory.find(address);
  if (allocation == nullptr || allocation->base != address) return CUDA_ERROR_INVALID_VALUE;
  const bool own = allocation->kind == MemoryKind::Device && allocation->borrowed == nullptr;
  const bool of_pool = allocation->pool != nullptr;
  if (!own && !of_pool && allocation->kind != MemoryKind::Managed) return CUDA_ERROR_INVALID_VALUE;
  if (allocation->of_module) return CUDA_ERROR_INVALID_VALUE;
  if (allocation->of_graph) {
    const std::lock_guard graphs(Graphs::get().lock);
    if (const std::shared_ptr<GraphMemory> made = GraphMemory::find(address)) {
      made->set_awake(false);
      return CUDA_SUCCESS;
    }
  }
  if (of_a_pool(*allocation)) {
    Pool& pool = Pools::get().taking_back(*allocation);
    CompletionPointer moment = all_of(users_of(*allocation));
    const std::vector<std::shared_ptr<Runner>> runners = runners_of_users(*allocation);
    pool.take_back_at_once(memory.detach(address), std::move(moment));
    lock.unlock();
    for (const std::shared_ptr<Runner>& runner : runners) runner->follow_changes();
    return CUDA_SUCCESS;
  }
  memory.free(*allocation);
  return CUDA_SUCCESS;
}

// cuMemGetAddressRange. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, NOT_FOUND, INVALID_VALUE.
// Either result may be null. Measured: memory_errors, steps 32 to 36; where nothing is mapped, or no access
// is set, the results are 0 (vmm_steps, steps 38 to 40 and 71 to 73).
CUresult CUDAAPI cuMemGetAddressRange_v2(CUdeviceptr* base, size_t* size, CUdeviceptr address) {
  const Reading call;
  if (call.error) return call.error;
  const Allocation* const allocation = Driver::get().memory().find(address);
  const bool found = allocation != nullptr && allocation->permits(false);
  if (base != nullptr) *base = found ? allocation->base : 0;
  if (size != nullptr) *size = found ? allocation->size : 0;
  return found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

// cuMemAllocManaged. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, NOT_SUPPORTED, INVALID_VALUE,
// OUT_OF_MEMORY. Measured: flags 0 and size 0 give 1 (managed_module, steps 28 and 29).
CUresult CUDAAPI cuMemAllocManaged(CUdeviceptr* address, size_t size, unsigned int flags) {
  if (const CUresult error = unsafe_call()) return error;
  const Changing call;
  if (call.error) return call.error;
  if (address == nullptr) return CUDA_ERROR_INVALID_VALUE;
  // A failed call writes 0: prefetching the address that was there before gives 1 then (step 30).
  *address = 0;
  if (size == 0) return CUDA_ERROR_INVALID_VALUE;
  if (flags != CU_MEM_ATTACH_GLOBAL && flags != CU_MEM_ATTACH_HOST)
    return refuse(CUDA_ERROR_INVALID_VALUE,
                  "Parameter flags must be either CU_MEM_ATTACH_GLOBAL or CU_MEM_ATTACH_HOST");
  void* host = nullptr;
  const CUresult error =
      Driver::get().memory().allocate_host(*call.context, MemoryKind::Managed, size, flags, host);
  if (error == CUDA_SUCCESS) *address = reinterpret_cast<CUdeviceptr>(host);
  return error;
}

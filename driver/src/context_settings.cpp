// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Context Management" that get or set properties of a context: its
// device, id, flags, limits, caches.
//
// All but cuCtxGetId and cuCtxGetApiVersion work on the current context.
#include <algorithm>

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/core_dump.hpp"
#include "core/log.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

// A null handle means the current context, as in the manual.
CUresult this_or_current(CUcontext handle, Context*& context) {
  if (handle != nullptr) return given_context(handle, context);
  const CUresult error = current_context(context);
  if (error == CUDA_SUCCESS) context = &current_of(*context);
  return error;
}

bool is_limit(CUlimit limit) {
  return limit >= CU_LIMIT_STACK_SIZE && limit < CU_LIMIT_MAX;
}

// Since compute capability 9.0 kernels cannot wait for kernels that they launch.
bool is_supported(CUlimit limit, const Device& device) {
  if (limit == CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH)
    return device.attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR).value_or(0) < 9;
  return limit != CU_LIMIT_CIG_SHMEM_FALLBACK_ENABLED;
}

std::size_t up_to_multiple(std::size_t value, std::size_t unit) {
  return unit == 0 ? value : (value + unit - 1) / unit * unit;
}

constexpr std::size_t kLargestThreadStack = 524288 - 1024;  // of 512 KiB of local memory some is the driver's
constexpr std::size_t kLeastHeap = std::size_t{4} << 20, kLeastOutput = std::size_t{512} << 10;
constexpr std::size_t kLeastPendingLaunches = 32, kMostPendingLaunches = 599186;

}  // namespace

// cuCtxGetDevice. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: it
// succeeds after a kernel has failed (sticky_illegal_address, step 15), and for a current context that was
// destroyed.
CUresult CUDAAPI cuCtxGetDevice(CUdevice* device) {
  return cuCtxGetDevice_v2(device, nullptr);
}

CUresult CUDAAPI cuCtxGetDevice_v2(CUdevice* device, CUcontext handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Context* context = ContextStack::of_this_thread().top();
  if (handle != nullptr) {
    context = Driver::get().contexts().find(handle);
  }
  if (context == nullptr) return handle == nullptr ? no_current_context() : CUDA_ERROR_INVALID_CONTEXT;
  if (handle != nullptr && !context->alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (device == nullptr) return refuse(CUDA_ERROR_INVALID_VALUE, "device cannot be NULL");
  *device = context->device().ordinal();
  return CUDA_SUCCESS;
}

// cuCtxGetFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: it returns
// the flags of a destroyed context that is current (a real driver may crash), and those of a primary context
// contain CU_CTX_MAP_HOST.
CUresult CUDAAPI cuCtxGetFlags(unsigned int* flags) {
  const Reading call;
  if (call.error && call.error != CUDA_ERROR_CONTEXT_IS_DESTROYED) return call.error;
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *flags = call.context->flags;
  if (call.context->kind() == ContextKind::Primary) *flags |= CU_CTX_MAP_HOST;
  // Whichever way they were enabled, and no flag for dumps on demand (truth core_order, core_context_flag).
  *flags &= ~static_cast<unsigned>(CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE);
  if (CoreDumps::get().value(call.context, CU_COREDUMP_ENABLE_ON_EXCEPTION).number != 0)
    *flags |= CU_CTX_COREDUMP_ENABLE;
  return CUDA_SUCCESS;
}

// cuCtxSetFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: whether
// the host's memory is mapped and what a crash leaves is settled when a context is made, and is no error
// here.
CUresult CUDAAPI cuCtxSetFlags(unsigned int flags) {
  const Reading call;
  if (call.error) return call.error;
  if (!valid_context_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
  constexpr unsigned kSettled = CU_CTX_MAP_HOST | CU_CTX_COREDUMP_ENABLE | CU_CTX_USER_COREDUMP_ENABLE;
  call.context->flags = (flags & ~kSettled) | (call.context->flags & kSettled);
  return CUDA_SUCCESS;
}

// cuCtxGetId. Errors: DEINITIALIZED, NOT_INITIALIZED, CONTEXT_IS_DESTROYED, INVALID_CONTEXT, INVALID_VALUE.
// Grows by 1 from context to context (ctx_create_flags, step 15).
CUresult CUDAAPI cuCtxGetId(CUcontext handle, unsigned long long* id) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Context* context = nullptr;
  if (const CUresult error = this_or_current(handle, context)) return error;
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *id = context->id();
  return CUDA_SUCCESS;
}

// cuCtxGetApiVersion. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, UNKNOWN. Measured: 3020
// (ctx_create_flags, step 11), whichever way the context was made; 201 for a destroyed one (destroyed_twice,
// step 6), where most calls say 709.
CUresult CUDAAPI cuCtxGetApiVersion(CUcontext handle, unsigned int* version) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Context* context = nullptr;
  if (const CUresult error = this_or_current(handle, context))
    return handle != nullptr ? CUDA_ERROR_INVALID_CONTEXT : error;
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = 3020;
  return CUDA_SUCCESS;
}

// cuCtxSynchronize. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT. Waits for every stream of the
// context, non-blocking ones too, and then returns the error of a failed kernel.
CUresult CUDAAPI cuCtxSynchronize() {
  return cuCtxSynchronize_v2(nullptr);
}

CUresult CUDAAPI cuCtxSynchronize_v2(CUcontext handle) {
  if (const CUresult error = unsafe_call()) return error;
  ReadingAnywhere call;
  if (call.error) return call.error;
  Context* context = nullptr;
  if (const CUresult error = this_or_current(handle, context)) return error;
  if (const CUresult error = wait_spoils_captures(*context)) return error;
  const Completions work = context->streams().unfinished();
  call.unlock();
  return synchronise(*context, work);
}

// cuCtxGetLimit. Errors: INVALID_VALUE, UNSUPPORTED_LIMIT. Measured: a limit that is none gives 1
// (ctx_create_flags, step 25).
CUresult CUDAAPI cuCtxGetLimit(size_t* value, CUlimit limit) {
  const Reading call;
  if (call.error) return call.error;
  if (value == nullptr || !is_limit(limit)) return CUDA_ERROR_INVALID_VALUE;
  if (!is_supported(limit, call.context->device())) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  *value = call.context->limit(limit);
  return CUDA_SUCCESS;
}

// cuCtxSetLimit. Errors: INVALID_VALUE, UNSUPPORTED_LIMIT, OUT_OF_MEMORY, INVALID_CONTEXT. "The driver may
// change the value to meet hardware requirements". How it does was measured on an H200 (truth limits, steps
// 17 to 115): multiples, least and largest values. What kernels share with graphics can only be asked.
CUresult CUDAAPI cuCtxSetLimit(CUlimit limit, size_t value) {
  if (const CUresult error = unsafe_call()) return error;
  Reading call;
  if (call.error) return call.error;
  if (!is_limit(limit)) return CUDA_ERROR_INVALID_VALUE;
  Context& context = *call.context;
  if (!is_supported(limit, context.device())) return CUDA_ERROR_UNSUPPORTED_LIMIT;
  if (limit == CU_LIMIT_SHMEM_SIZE || limit == CU_LIMIT_CIG_ENABLED) return CUDA_ERROR_NOT_PERMITTED;
  if (limit == CU_LIMIT_STACK_SIZE) {
    if (value > kLargestThreadStack) return CUDA_ERROR_INVALID_VALUE;
    value = up_to_multiple(value, 16);
    // Stacks are moved only while no kernel runs on them (truth who_waits, steps 20 and 46).
    if (value != context.limit(limit)) {
      call.unlock();
      finish_current_work();
    }
  } else if (limit == CU_LIMIT_MALLOC_HEAP_SIZE || limit == CU_LIMIT_PRINTF_FIFO_SIZE) {
    if (value > Driver::get().memory().capacity(context.device())) return CUDA_ERROR_OUT_OF_MEMORY;
    value = limit == CU_LIMIT_MALLOC_HEAP_SIZE
                ? up_to_multiple(std::max(value, kLeastHeap), std::size_t{64} << 10)
                : up_to_multiple(std::max(value, kLeastOutput), 128);
  } else if (limit == CU_LIMIT_DEV_RUNTIME_PENDING_LAUNCH_COUNT) {
    value = std::clamp(value, kLeastPendingLaunches, kMostPendingLaunches);
  } else if (limit == CU_LIMIT_MAX_L2_FETCH_GRANULARITY) {
    if (value > 128) return CUDA_ERROR_INVALID_VALUE;
  } else if (limit == CU_LIMIT_PERSISTING_L2_CACHE_SIZE) {
    const auto figure = [&](CUdevice_attribute attribute) {
      return static_cast<std::size_t>(context.device().attribute(attribute).value_or(0));
    };
    if (value > figure(CU_DEVICE_ATTRIBUTE_MAX_PERSISTING_L2_CACHE_SIZE)) return CUDA_ERROR_INVALID_VALUE;
    value = up_to_multiple(value, figure(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE) / 16);
  }
  context.limit(limit) = value;
  return CUDA_SUCCESS;
}

// cuCtxGetCacheConfig. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuCtxGetCacheConfig(CUfunc_cache* config) {
  const Reading call;
  if (call.error) return call.error;
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *config = call.context->cache_config;
  return CUDA_SUCCESS;
}

// cuCtxSetCacheConfig. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. A preference:
// kept, and without effect here.
CUresult CUDAAPI cuCtxSetCacheConfig(CUfunc_cache config) {
  const Reading call;
  if (call.error) return call.error;
  if (config < CU_FUNC_CACHE_PREFER_NONE || config > CU_FUNC_CACHE_PREFER_EQUAL)
    return CUDA_ERROR_INVALID_VALUE;
  call.context->cache_config = config;
  return CUDA_SUCCESS;
}

// cuCtxGetSharedMemConfig (deprecated). Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_VALUE.
CUresult CUDAAPI cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  const Reading call;
  if (call.error) return call.error;
  if (config == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *config = call.context->shared_memory_config;
  return CUDA_SUCCESS;
}

// cuCtxSetSharedMemConfig (deprecated). Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_VALUE. Cards of this kind have banks of four bytes, whatever is asked for: "setting has no effect".
CUresult CUDAAPI cuCtxSetSharedMemConfig(CUsharedconfig config) {
  const Reading call;
  if (call.error) return call.error;
  if (config < CU_SHARED_MEM_CONFIG_DEFAULT_BANK_SIZE || config > CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

// cuCtxGetStreamPriorityRange. Errors: INVALID_VALUE. Measured: 0 and -5 (ctx_create_flags, steps 26 to 28).
// Either result may be null.
CUresult CUDAAPI cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  const Reading call;
  if (call.error) return call.error;
  if (least != nullptr) *least = Device::kLeastPriority;
  if (greatest != nullptr) *greatest = Device::kGreatestPriority;
  return CUDA_SUCCESS;
}

// cuCtxResetPersistingL2Cache. Errors: NOT_SUPPORTED. There is no cache to reset, so it is in the state asked
// for.
CUresult CUDAAPI cuCtxResetPersistingL2Cache() {
  const Reading call;
  return call.error;
}

// cuFlushGPUDirectRDMAWrites. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// NOT_SUPPORTED. No other device writes here, so all is visible. Measured: device_more, steps 7 to 14.
CUresult CUDAAPI cuFlushGPUDirectRDMAWrites(CUflushGPUDirectRDMAWritesTarget target,
                                            CUflushGPUDirectRDMAWritesScope scope) {
  const Reading call;
  if (call.error) return call.error;
  if (target != CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX) return CUDA_ERROR_INVALID_VALUE;
  const bool known = scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER ||
                     scope == CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_ALL_DEVICES;
  return known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

// cuCtxGetExecAffinity. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// UNSUPPORTED_EXEC_AFFINITY. Measured: 201 in a green context (green_asked, step 63).
CUresult CUDAAPI cuCtxGetExecAffinity(CUexecAffinityParam* parameter, CUexecAffinityType type) {
  const Reading call;
  if (call.error) return call.error;
  if (parameter == nullptr || type != CU_EXEC_AFFINITY_TYPE_SM_COUNT) return CUDA_ERROR_INVALID_VALUE;
  if (current_of(*call.context).kind() == ContextKind::Green) return CUDA_ERROR_INVALID_CONTEXT;
  return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
}

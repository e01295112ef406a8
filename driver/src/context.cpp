// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Context Management" that make and destroy contexts, and push and pop
// them.
//
// The properties of a context (limits, flags, ids) are in context_settings.cpp. How the stack behaves is
// measured: truth stack_*, threads_floating.
#include "core/context.hpp"

#include "core/call.hpp"
#include "core/log.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

CUresult create(CUcontext* result, unsigned flags, CUdevice handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (result == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Driver& driver = Driver::get();
  Device* const device = driver.device(handle);
  if (device == nullptr) return no_such_device("dev", driver.device_count());
  if (!valid_context_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = driver.sticky_error) return error;
  if (!ContextStack::of_this_thread().make_room()) return CUDA_ERROR_OUT_OF_MEMORY;
  Context* const context = driver.create_context(*device, flags);
  if (context == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  ContextStack::of_this_thread().push(context);
  *result = context->handle();
  return CUDA_SUCCESS;
}

// Destroying a context waits for what it does (truth who_waits, step 55).
Completions work_of(CUcontext handle) {
  Context* context = nullptr;
  return given_context(handle, context) == CUDA_SUCCESS ? context->streams().unfinished() : Completions{};
}

// Ends a context and takes it off the top of this thread's stack. Deeper, or on another thread's stack, it
// stays and gives 709 (truth stack_destroy_below_top, threads_floating).
void destroy(Context& context) {
  Driver::get().end(context);
  ContextStack& stack = ContextStack::of_this_thread();
  if (stack.top() == &context) stack.pop();
}

}  // namespace

// cuCtxCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_DEVICE, INVALID_VALUE,
// OUT_OF_MEMORY. Null parameters and zeroed ones mean the same (truth params_zeroed). Affinity to some
// multiprocessors and sharing with graphics are not supported here.
CUresult CUDAAPI cuCtxCreate_v4(CUcontext* context, CUctxCreateParams* parameters, unsigned int flags,
                                CUdevice device) {
  if (const CUresult error = Driver::ready()) return error;
  if (parameters != nullptr) {
    if (parameters->numExecAffinityParams != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
    if (parameters->cigParams != nullptr) return CUDA_ERROR_NOT_SUPPORTED;
  }
  return create(context, flags, device);
}

CUresult CUDAAPI cuCtxCreate_v3(CUcontext* context, CUexecAffinityParam*, int parameter_count,
                                unsigned int flags, CUdevice device) {
  if (const CUresult error = Driver::ready()) return error;
  if (parameter_count != 0) return CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY;
  return create(context, flags, device);
}

CUresult CUDAAPI cuCtxCreate_v2(CUcontext* context, unsigned int flags, CUdevice device) {
  return create(context, flags, device);
}

CUresult CUDAAPI cuCtxCreate(CUcontext* context, unsigned int flags, CUdevice device) {
  return create(context, flags, device);
}

// cuCtxDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: null gives
// 1 (no_context, step 24), even before cuInit; a primary context gives 201 (primary, step 17); it works after
// a kernel has failed (sticky_trap, step 9); destroying twice gives 709 (destroyed_twice, step 5), or 201 by
// chance (destroyed_thrice). An invalid handle gives 201 here.
CUresult CUDAAPI cuCtxDestroy_v2(CUcontext handle) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([handle] { return work_of(handle); });
  Context* context = nullptr;
  if (const CUresult error = given_context(handle, context)) return error;
  if (context->kind() != ContextKind::Created) return CUDA_ERROR_INVALID_CONTEXT;
  destroy(*context);
  return CUDA_SUCCESS;
}

// cuCtxPushCurrent. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: a
// destroyed context can be pushed (stack_destroy_below_top, step 20), null gives 1. The real driver crashes
// on an invalid handle (stack_push_pop, after step 28); here it is 201.
CUresult CUDAAPI cuCtxPushCurrent_v2(CUcontext handle) {
  if (const CUresult error = Driver::ready()) return error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* const context = Driver::get().contexts().find(handle);
  if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  return ContextStack::of_this_thread().push(context) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

// cuCtxPopCurrent. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT.
// Measured: a null result is fine (stack_push_pop, step 27); with nothing to pop the result stays untouched
// (no_context, step 21).
CUresult CUDAAPI cuCtxPopCurrent_v2(CUcontext* handle) {
  if (const CUresult error = Driver::ready()) return error;
  ContextStack& stack = ContextStack::of_this_thread();
  if (stack.empty()) return no_current_context();
  if (handle != nullptr) *handle = stack.top()->handle();
  stack.pop();
  return CUDA_SUCCESS;
}

// cuCtxSetCurrent. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT.
// It replaces the top, and with null pops it; on an empty stack null does nothing (no_context, step 22). A
// destroyed context can be set (stack_destroy_below_top, step 18).
CUresult CUDAAPI cuCtxSetCurrent(CUcontext handle) {
  if (const CUresult error = Driver::ready()) return error;
  ContextStack& stack = ContextStack::of_this_thread();
  Context* context = nullptr;
  if (handle != nullptr) {
    context = Driver::get().contexts().find(handle);
    if (context == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  }
  if (!stack.empty()) stack.pop();
  if (context != nullptr && !stack.push(context)) return CUDA_ERROR_OUT_OF_MEMORY;
  return CUDA_SUCCESS;
}

// cuCtxGetCurrent. Errors: DEINITIALIZED, NOT_INITIALIZED. Measured: a null result gives 1 (no_context,
// step 25); a destroyed context is still the current one (stack_destroy_below_top, step 9).
CUresult CUDAAPI cuCtxGetCurrent(CUcontext* handle) {
  if (const CUresult error = Driver::ready()) return error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* const top = ContextStack::of_this_thread().top();
  *handle = top == nullptr ? nullptr : top->handle();
  return CUDA_SUCCESS;
}

// cuCtxAttach (deprecated). Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Takes
// flags 0 only.
CUresult CUDAAPI cuCtxAttach(CUcontext* handle, unsigned int flags) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  ++call.context->uses;
  *handle = call.context->handle();
  return CUDA_SUCCESS;
}

// cuCtxDetach (deprecated). Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT. The context must be the
// current one; the detach that reaches 0 destroys and pops it, so that one more returns 201, and
// 709 when it has been made current again (measured). A primary context is counted by retain and release
// instead.
CUresult CUDAAPI cuCtxDetach(CUcontext handle) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([handle] { return work_of(handle); });
  Context* const context = Driver::get().contexts().find(handle);
  if (context == nullptr || context != ContextStack::of_this_thread().top())
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!context->alive()) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  if (context->kind() != ContextKind::Created) return CUDA_ERROR_INVALID_CONTEXT;
  if (--context->uses == 0) destroy(*context);
  return CUDA_SUCCESS;
}

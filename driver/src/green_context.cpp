// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Green Contexts": making and destroying them, their contexts and
// streams, and events of all that a context does.
//
// What they consist of is in device_resource.cpp.
#include "core/green_context.hpp"

#include <algorithm>

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

// A moment after all that is enqueued in a context so far. What is being captured in it is spoiled.
CUresult record(Context& context, CUevent handle) {
  Event* const event = Event::find(handle);
  if (event == nullptr) return no_event(handle);
  if (&event->context != &context.home()) return CUDA_ERROR_INVALID_HANDLE;
  if (const CUresult error = wait_spoils_captures(context)) return error;
  CompletionPointer moment = all_of(context.streams().unfinished());
  event->record_in(nullptr);
  event->record(moment != nullptr ? std::move(moment) : Completion::now());
  return CUDA_SUCCESS;
}

// All that is enqueued in a context from now on waits for the event, which may be another context's.
CUresult wait(Context& context, CUevent handle) {
  const Event* const event = Event::find(handle);
  if (event == nullptr) return no_event(handle);
  if (const std::shared_ptr<Capture> capture = event->capture()) {
    capture->forbid();
    return CUDA_ERROR_CAPTURED_EVENT;  // measured: green_event_capture, step 28
  }
  if (const CUresult error = wait_spoils_captures(context)) return error;
  const CompletionPointer recorded = event->recorded();
  if (recorded != nullptr && !recorded->done()) context.streams().wait_for_event(recorded);
  return CUDA_SUCCESS;
}

using Step = CUresult (*)(Context& context, CUevent event);

CUresult with_context(CUcontext handle, CUevent event, Step step) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (const CUresult error = Driver::get().sticky_error) return error;
  Context* context = nullptr;
  if (const CUresult error = given_context(handle, context)) return error;
  return step(*context, event);
}

// Measured: null gives 201 even before cuInit (green_split_before_init, steps 9 and 10).
CUresult with_green(CUgreenCtx handle, CUevent event, Step step) {
  if (handle == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  const ReadingAnywhere call;
  if (call.error) return call.error;
  Context* green = nullptr;
  if (const CUresult error = given_green(handle, green)) return error;
  return step(*green, event);
}

Completions work_of(CUgreenCtx handle) {
  Context* green = nullptr;
  return given_green(handle, green) == CUDA_SUCCESS ? green->streams().unfinished() : Completions{};
}

}  // namespace

// cuGreenCtxCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_DEVICE, INVALID_VALUE, OUT_OF_MEMORY.
// It retains the primary context and makes nothing current. Measured: no description is no error
// (green_create, step 5); here it stands for all multiprocessors of the device. An invalid one gives 1 here.
CUresult CUDAAPI cuGreenCtxCreate(CUgreenCtx* handle, CUdevResourceDesc description_handle,
                                  CUdevice device_handle, unsigned int flags) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (handle == nullptr || flags != CU_GREEN_CTX_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
  Device* const device = Driver::get().device(device_handle);
  if (device == nullptr) return CUDA_ERROR_INVALID_DEVICE;
  Multiprocessors share = Multiprocessors::of(*device);
  if (description_handle != nullptr) {
    const ResourceDescription* const description = ResourceDescription::find(description_handle);
    if (description == nullptr || description->set.device != device->ordinal())
      return CUDA_ERROR_INVALID_VALUE;
    share = description->set;
  }
  if (const CUresult error = Driver::get().sticky_error) return error;
  Context* const green = create_green_context(share, *device);
  if (green == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  *handle = reinterpret_cast<CUgreenCtx>(green->handle());
  return CUDA_SUCCESS;
}

// cuGreenCtxDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT. Measured: the manual lets its
// streams stay, but they go with it and give 709 afterwards (green_detached, steps 15 to 39); it works after
// a kernel has failed (green_kernel_faults, step 20), and takes nothing off a stack (green_destroy_current,
// step 6).
CUresult CUDAAPI cuGreenCtxDestroy(CUgreenCtx handle) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([handle] { return work_of(handle); });
  Context* green = nullptr;
  const CUresult error = given_green(handle, green);
  if (error == CUDA_ERROR_INVALID_CONTEXT || error == CUDA_ERROR_CONTEXT_IS_DESTROYED) return error;
  Driver::get().end_green(*green);
  return CUDA_SUCCESS;
}

// cuCtxFromGreenCtx. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuCtxFromGreenCtx(CUcontext* context, CUgreenCtx handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (context == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* green = nullptr;
  if (const CUresult error = given_green(handle, green)) return error;
  *context = green->handle();
  return CUDA_SUCCESS;
}

// cuGreenCtxGetId. Errors: DEINITIALIZED, NOT_INITIALIZED, CONTEXT_IS_DESTROYED, INVALID_VALUE. The number is
// that of its context (green_asked, step 27).
CUresult CUDAAPI cuGreenCtxGetId(CUgreenCtx handle, unsigned long long* id) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (id == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* green = nullptr;
  if (const CUresult error = given_green(handle, green)) return error;
  *id = green->id();
  return CUDA_SUCCESS;
}

// cuGreenCtxStreamCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// OUT_OF_MEMORY. The stream has to be a non-blocking one; which context is current does not matter. Measured:
// values are looked at before cuInit is (green_split_before_init, step 7).
CUresult CUDAAPI cuGreenCtxStreamCreate(CUstream* handle, CUgreenCtx green_handle, unsigned int flags,
                                        int priority) {
  if (handle == nullptr || flags != CU_STREAM_NON_BLOCKING) return CUDA_ERROR_INVALID_VALUE;
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Context* green = nullptr;
  if (const CUresult error = given_green(green_handle, green)) return error;
  priority = std::clamp(priority, Device::kGreatestPriority, Device::kLeastPriority);
  auto stream = std::make_unique<Stream>(*green, flags, priority);
  *handle = stream->handle();
  green->own(std::move(stream));
  return CUDA_SUCCESS;
}

// cuCtxRecordEvent, cuGreenCtxRecordEvent. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_HANDLE, STREAM_CAPTURE_UNSUPPORTED. The event has to be of the same context; those of green
// contexts are their primary context's. A primary context's work is that of its green contexts, too.
CUresult CUDAAPI cuCtxRecordEvent(CUcontext context, CUevent event) {
  return with_context(context, event, record);
}

CUresult CUDAAPI cuGreenCtxRecordEvent(CUgreenCtx context, CUevent event) {
  return with_green(context, event, record);
}

// cuCtxWaitEvent, cuGreenCtxWaitEvent. Errors: as above.
CUresult CUDAAPI cuCtxWaitEvent(CUcontext context, CUevent event) {
  return with_context(context, event, wait);
}

CUresult CUDAAPI cuGreenCtxWaitEvent(CUgreenCtx context, CUevent event) {
  return with_green(context, event, wait);
}

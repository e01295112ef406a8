// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Stream Management": making, querying and waiting for streams.
//
// How work is put in order is in core/stream.hpp. A stream may be used while another context than its own is
// current (truth streams_events, steps 24 to 29). The real driver crashes on an invalid handle and on
// destroying twice (after step 33); here they return 400.
#include "core/stream.hpp"
#include "core/capture.hpp"

#include <algorithm>
#include <memory>

#include "core/call.hpp"
#include "core/per_thread_variants.hpp"

using namespace driver;

namespace {

CUresult create(CUstream* handle, unsigned flags, int priority) {
  if (const CUresult error = Driver::ready()) return error;
  // Before the context is looked at: measured.
  if (handle == nullptr || (flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  const Changing call;
  if (call.error) return call.error;
  // Lower numbers are more urgent; "clamped to the nearest" is the manual's word.
  priority = std::clamp(priority, Device::kGreatestPriority, Device::kLeastPriority);
  // Measured: in a green context every stream is a non-blocking one (green_streams, step 45).
  Context& current = current_of(*call.context);
  if (current.kind() == ContextKind::Green) flags = CU_STREAM_NON_BLOCKING;
  auto stream = std::make_unique<Stream>(current, flags, priority);
  *handle = stream->handle();
  current.own(std::move(stream));
  return CUDA_SUCCESS;
}

// Reads a property of a stream; for a default stream, the current context has it.
template <typename Value, typename OfDefault, typename OfStream>
CUresult ask(CUstream handle, Value* value, OfDefault of_default, OfStream of_stream) {
  const ReadingFor call(handle);
  if (call.error) return call.error;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (is_default_stream(handle)) {
    if (handle == CU_STREAM_PER_THREAD && current_of(*call.context).kind() == ContextKind::Green)
      return CUDA_ERROR_INVALID_HANDLE;
    *value = of_default(current_of(*call.context));
    return CUDA_SUCCESS;
  }
  Stream* const stream = Stream::find(handle);
  if (stream == nullptr) return no_stream(handle);
  *value = of_stream(*stream);
  return CUDA_SUCCESS;
}

// A stream that is being captured must not be asked or waited for: that ends the capture (truth capture,
// steps 10 and 30).
CUresult synchronise_stream(CUstream handle) {
  ReadingFor call(handle);
  if (call.error) return call.error;
  Queue* const queue = find_queue(handle, *call.context);
  if (queue == nullptr) return no_stream(handle);
  if (queue->capture != nullptr) return queue->capture->forbid();
  if (const CUresult error = unsafe_call()) return error;
  const Completions work = queue->unfinished();
  Context& home = queue->home;
  call.unlock();
  return synchronise(home, work);
}

CUresult query(CUstream handle) {
  const ReadingFor call(handle);
  if (call.error) return call.error;
  Queue* const queue = find_queue(handle, *call.context);
  if (queue == nullptr) return no_stream(handle);
  if (queue->capture != nullptr) return queue->capture->forbid();
  if (const CUresult error = unsafe_call()) return error;
  if (!queue->unfinished().empty()) return CUDA_ERROR_NOT_READY;
  return Driver::get().sticky_error;
}

CUresult wait_for_event(CUstream handle, CUevent event_handle, unsigned flags) {
  const ReadingFor call(handle);
  if (call.error) return call.error;
  if (flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  Queue* const queue = find_queue(handle, *call.context);
  Event* const event = Event::find(event_handle);
  if (queue == nullptr) return no_stream(handle);
  if (event == nullptr) return no_event(event_handle);
  if (queue->capture != nullptr && flags == CU_EVENT_WAIT_EXTERNAL) {
    return queue->capture->wait_external(*queue, *event);
  }
  if (const std::shared_ptr<Capture> capture = event->capture()) return capture->wait(*queue, *event);
  // What was recorded last counts; recording again later changes nothing for this wait.
  const CompletionPointer recorded = event->recorded();
  if (recorded == nullptr) return CUDA_SUCCESS;
  if (queue->capture != nullptr) return queue->capture->forbid_isolation();
  if (recorded->done()) return CUDA_SUCCESS;
  queue->come_after(recorded);
  queue->come_after(event->preceding_frees());
  return CUDA_SUCCESS;
}

CUresult get_context(CUstream handle, CUcontext* context) {
  return ask(
      handle, context, [](Context& current) { return current.handle(); },
      [](Stream& stream) { return stream.context.handle(); });
}

// A green context has the handle of its context. Null for a stream of any other context. Measured: the
// per-thread default stream is none in a green context (green_streams, steps 61 to 66).
CUgreenCtx green_handle(Context& context) {
  return context.kind() == ContextKind::Green ? reinterpret_cast<CUgreenCtx>(context.handle()) : nullptr;
}

CUresult get_green(CUstream handle, CUgreenCtx* green) {
  return ask(handle, green, green_handle, [](Stream& stream) { return green_handle(stream.context); });
}

// Asked for both, a stream of a green context says the primary one, too (green_streams, step 23).
CUresult get_context_and_green(CUstream handle, CUcontext* context, CUgreenCtx* green) {
  CUcontext home = nullptr;
  if (const CUresult error = ask(
          handle, &home, [](Context& current) { return current.home().handle(); },
          [](Stream& stream) { return stream.context.home().handle(); }))
    return error;
  if (context == nullptr && green == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (context != nullptr) *context = home;
  return green != nullptr ? get_green(handle, green) : CUDA_SUCCESS;
}

CUresult get_flags(CUstream handle, unsigned* flags) {
  return ask(handle, flags, [](Context&) { return 0U; }, [](Stream& stream) { return stream.flags; });
}

CUresult get_priority(CUstream handle, int* priority) {
  return ask(
      handle, priority, [](Context&) { return Device::kLeastPriority; },
      [](Stream& stream) { return stream.priority(); });
}

CUresult get_device(CUstream handle, CUdevice* device) {
  return ask(
      handle, device, [](Context& current) { return current.device().ordinal(); },
      [](Stream& stream) { return stream.context.device().ordinal(); });
}

CUresult get_id(CUstream handle, unsigned long long* id) {
  const unsigned long long of_default = handle == CU_STREAM_PER_THREAD ? 2 : 1;
  return ask(handle, id, [=](Context&) { return of_default; }, [](Stream& stream) { return stream.id; });
}

CUresult get_attribute(CUstream handle, CUstreamAttrID attribute, CUstreamAttrValue* value) {
  const Reading call;
  if (call.error) return call.error;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Stream* const stream = Stream::find(handle);
  if (stream == nullptr && !is_default_stream(handle)) return no_stream(handle);
  switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      value->accessPolicyWindow = stream != nullptr ? stream->window : CUaccessPolicyWindow{};
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      value->syncPolicy = stream != nullptr ? stream->policy : CU_SYNC_POLICY_AUTO;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      value->priority = stream != nullptr ? stream->priority() : Device::kLeastPriority;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      value->memSyncDomainMap = stream != nullptr ? stream->domain_map : CUlaunchMemSyncDomainMap{0, 1};
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      value->memSyncDomain = stream != nullptr ? stream->domain : CU_LAUNCH_MEM_SYNC_DOMAIN_DEFAULT;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult set_attribute(CUstream handle, CUstreamAttrID attribute, const CUstreamAttrValue* value) {
  const Changing call;
  if (call.error) return call.error;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Stream* const stream = Stream::find(handle);
  if (stream == nullptr) return no_stream(handle);
  switch (attribute) {
    case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
      stream->window = value->accessPolicyWindow;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
      stream->policy = value->syncPolicy;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_PRIORITY:
      stream->priority() = std::clamp(value->priority, Device::kGreatestPriority, Device::kLeastPriority);
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
      stream->domain_map = value->memSyncDomainMap;
      return CUDA_SUCCESS;
    case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
      stream->domain = value->memSyncDomain;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult copy_attributes(CUstream to_handle, CUstream from_handle) {
  const Changing call;
  if (call.error) return call.error;
  Stream* const to = Stream::find(to_handle);
  const Stream* const from = Stream::find(from_handle);
  if (to == nullptr) return no_stream(to_handle);
  if (from == nullptr) return no_stream(from_handle);
  to->window = from->window;
  to->policy = from->policy;
  to->priority() = from->priority();
  to->domain = from->domain;
  to->domain_map = from->domain_map;
  return CUDA_SUCCESS;
}

}  // namespace

// cuStreamCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY.
// Measured: unknown flags give 1 (streams_events, step 5).
CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned int flags) {
  return create(stream, flags, 0);
}

// cuStreamCreateWithPriority. Errors: as cuStreamCreate.
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
}

// cuStreamDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE. A
// default stream cannot be destroyed. Measured: it needs no current context (green_streams, step 123); 709
// where the stream's context was destroyed. A stream that captures takes its capture along
// (core/capture.cpp).
CUresult CUDAAPI cuStreamDestroy_v2(CUstream handle) {
  const ChangingFor call(handle);
  if (call.error) return call.error;
  Stream* const stream = is_default_stream(handle) ? nullptr : Stream::find(handle);
  if (stream == nullptr) return no_stream(handle);
  stream->context.disown(stream);
  return CUDA_SUCCESS;
}

// cuStreamQuery. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE,
// NOT_READY. Measured: the null stream is busy while a blocking stream is (busy, step 6).
ON_STREAM(cuStreamQuery, (CUstream stream), query(stream))

// cuStreamSynchronize. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE.
ON_STREAM(cuStreamSynchronize, (CUstream stream), synchronise_stream(stream))

// cuStreamWaitEvent. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE. Measured: in a
// capture an event that was recorded outside gives 905 and breaks the capture, over or not; one that was
// never recorded is nothing to wait for; with CU_EVENT_WAIT_EXTERNAL it becomes a node.
ON_STREAM(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned int flags),
          wait_for_event(stream, event, flags))

// cuStreamGetCtx. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE,
// NOT_SUPPORTED.
ON_STREAM(cuStreamGetCtx, (CUstream stream, CUcontext* context), get_context(stream, context))

// cuStreamGetCtx_v2. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
ON_STREAM(cuStreamGetCtx_v2, (CUstream stream, CUcontext* context, CUgreenCtx* green),
          get_context_and_green(stream, context, green))

// cuStreamGetGreenCtx. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_VALUE, INVALID_HANDLE.
CUresult CUDAAPI cuStreamGetGreenCtx(CUstream stream, CUgreenCtx* green) {
  return get_green(stream, green);
}

// cuStreamGetFlags, cuStreamGetPriority, cuStreamGetDevice, cuStreamGetId. Errors: DEINITIALIZED,
// NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
ON_STREAM(cuStreamGetFlags, (CUstream stream, unsigned int* flags), get_flags(stream, flags))
ON_STREAM(cuStreamGetPriority, (CUstream stream, int* priority), get_priority(stream, priority))
ON_STREAM(cuStreamGetDevice, (CUstream stream, CUdevice* device), get_device(stream, device))
ON_STREAM(cuStreamGetId, (CUstream stream, unsigned long long* id), get_id(stream, id))

// cuStreamGetAttribute, cuStreamSetAttribute, cuStreamCopyAttributes. Errors: DEINITIALIZED, NOT_INITIALIZED,
// INVALID_VALUE, INVALID_HANDLE. A default stream has attributes that cannot be set.
ON_STREAM(cuStreamGetAttribute, (CUstream stream, CUstreamAttrID attribute, CUstreamAttrValue* value),
          get_attribute(stream, attribute, value))
ON_STREAM(cuStreamSetAttribute, (CUstream stream, CUstreamAttrID attribute, const CUstreamAttrValue* value),
          set_attribute(stream, attribute, value))

CUresult CUDAAPI cuStreamCopyAttributes(CUstream to, CUstream from) {
  return copy_attributes(to, from);
}
CUresult CUDAAPI cuStreamCopyAttributes_ptsz(CUstream to, CUstream from) {
  return copy_attributes(or_per_thread(to), or_per_thread(from));
}

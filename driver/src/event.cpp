// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Event Management".
//
// An event is a moment in the order of a stream (core/stream.hpp): it has happened when everything before it
// in that stream is over, and its time is the host's clock then.
#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/log.hpp"
#include "core/per_thread_variants.hpp"
#include "core/shared_event.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

constexpr unsigned kNownEventFlags = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

// Measured: on the null stream the event has to be the current context's, on a stream it has to be of the
// stream's context, whichever is current (truth streams_events, steps 25 and 26).
CUresult record(CUevent handle, CUstream stream_handle, unsigned flags) {
  const ReadingFor call(stream_handle);
  if (call.error) return call.error;
  if (flags > CU_EVENT_RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  Event* const event = Event::find(handle);
  Queue* const queue = find_queue(stream_handle, *call.context);
  if (event == nullptr) return no_event(handle);
  if (queue == nullptr) return no_stream(stream_handle);
  if (&event->context != &queue->home)
    return refuse(CUDA_ERROR_INVALID_HANDLE,
                  "CU_EVENT_RECORD_EXTERNAL flag is not set and event did not come from expected device "
                  "context");
  if (queue->capture != nullptr) {
    return flags == CU_EVENT_RECORD_EXTERNAL ? queue->capture->record_external(*queue, *event)
                                             : queue->capture->record(*queue, *event);
  }
  event->record_in(nullptr);
  if (event->shared != nullptr) {
    const CompletionPointer announcement = event->shared->record();
    try {
      return queue->enqueue(std::make_shared<AnnounceOperation>(announcement));
    } catch (const std::bad_alloc&) {
      announcement->finish();  // no call must wait for what was not enqueued
      throw;
    }
  }
  PrecedingFrees frees;
  CompletionPointer moment = queue->moment(&frees);
  event->record(moment != nullptr ? std::move(moment) : Completion::now(), std::move(frees));
  return CUDA_SUCCESS;
}

// An event that was never recorded counts as having happened (streams_events, step 10). One that was recorded
// in a capture never does (truth capture, steps 42 and 43), and when the capture is over it returns 1.
CUresult query(CUevent handle) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (const CUresult error = known_fault()) return error;
  Event* const event = Event::find(handle);
  if (event == nullptr) return no_event(handle);
  if (const std::shared_ptr<Capture> capture = event->capture()) {
    if (capture->over()) return CUDA_ERROR_INVALID_VALUE;
    capture->forbid();
    return CUDA_ERROR_CAPTURED_EVENT;
  }
  if (const CUresult error = unsafe_call()) return error;
  const CompletionPointer recorded = event->recorded();
  return recorded == nullptr || recorded->done() ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult wait_for_event(CUevent handle) {
  ReadingAnywhere call;
  if (call.error) return call.error;
  if (const CUresult error = known_fault()) return error;
  Event* const event = Event::find(handle);
  if (event == nullptr) return no_event(handle);
  if (const std::shared_ptr<Capture> capture = event->capture()) {
    // Measured: 907 once, and 1 when it has broken the capture.
    if (capture->over() || capture->broken()) return CUDA_ERROR_INVALID_VALUE;
    capture->forbid();
    return CUDA_ERROR_CAPTURED_EVENT;
  }
  if (const CUresult error = unsafe_call()) return error;
  Completions work;
  if (CompletionPointer recorded = event->recorded()) work.push_back(std::move(recorded));
  Context& home = event->context;
  call.unlock();
  return synchronise(home, work);
}

CUresult elapsed(float* milliseconds, CUevent first, CUevent second) {
  const ReadingAnywhere call;
  if (call.error) return call.error;
  if (const CUresult error = known_fault()) return error;
  if (milliseconds == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  const Event* const start = Event::find(first);
  const Event* const end = Event::find(second);
  if (start == nullptr) return no_event(first);
  if (end == nullptr) return no_event(second);
  if (((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) != 0) return CUDA_ERROR_INVALID_HANDLE;
  const CompletionPointer began = start->recorded();
  const CompletionPointer ended = end->recorded();
  if (began == nullptr || ended == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (!began->done() || !ended->done()) return CUDA_ERROR_NOT_READY;
  *milliseconds = static_cast<float>(static_cast<double>(ended->time() - began->time()) * 1e-6);
  return CUDA_SUCCESS;
}

}  // namespace

// cuEventCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY.
// Measured: sharing with another process goes only without timing (busy, step 24).
CUresult CUDAAPI cuEventCreate(CUevent* handle, unsigned int flags) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || (flags & ~kNownEventFlags) != 0) return CUDA_ERROR_INVALID_VALUE;
  std::shared_ptr<SharedEvent> shared;
  if ((flags & CU_EVENT_INTERPROCESS) != 0) {
    if ((flags & CU_EVENT_DISABLE_TIMING) == 0) return CUDA_ERROR_INVALID_VALUE;
    shared = SharedEvent::make();
    if (shared == nullptr) return CUDA_ERROR_OUT_OF_MEMORY;
  }
  auto event = std::make_unique<Event>(*call.context, flags, std::move(shared));
  *handle = event->handle();
  call.context->own(std::move(event));
  return CUDA_SUCCESS;
}

// cuEventDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
// Measured, and the same of every call with an event: 709 when the event's context was destroyed.
CUresult CUDAAPI cuEventDestroy_v2(CUevent handle) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  if (const CUresult error = known_fault()) return error;
  Event* const event = Event::find(handle);
  if (event == nullptr) return no_event(handle);
  event->context.disown(event);
  return CUDA_SUCCESS;
}

// cuEventRecord, cuEventRecordWithFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT,
// INVALID_HANDLE, INVALID_VALUE.
ON_STREAM(cuEventRecord, (CUevent event, CUstream stream), record(event, stream, 0))
ON_STREAM(cuEventRecordWithFlags, (CUevent event, CUstream stream, unsigned int flags),
          record(event, stream, flags))

// cuEventQuery. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_HANDLE, INVALID_VALUE, NOT_READY. Measured:
// it needs no current context, nor do cuEventSynchronize, cuEventElapsedTime and cuEventDestroy.
CUresult CUDAAPI cuEventQuery(CUevent event) {
  return query(event);
}

// cuEventSynchronize. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE.
CUresult CUDAAPI cuEventSynchronize(CUevent event) {
  return wait_for_event(event);
}

// cuEventElapsedTime. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE,
// NOT_READY, UNKNOWN. Measured: an event that was never recorded, or that keeps no time, gives 400
// (streams_events, steps 11 and 19), and so does no place for the result.
CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return elapsed(milliseconds, start, end);
}

CUresult CUDAAPI cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return elapsed(milliseconds, start, end);
}

// Entry points of the manual's chapter "Event Management".
//
// An event has happened when it was recorded (core/stream.hpp); what is measured between two is the host's
// time.
#include "core/call.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

constexpr unsigned known_flags = CU_EVENT_BLOCKING_SYNC | CU_EVENT_DISABLE_TIMING | CU_EVENT_INTERPROCESS;

// Measured: on the null stream the event has to be the current context's, on a stream it has to be of the
// stream's context, whichever is current (truth streams_events, steps 25 and 26).
CUresult record(CUevent handle, CUstream stream_handle, unsigned flags) {
  const Changing call;
  if (call.error) return call.error;
  if (flags > CU_EVENT_RECORD_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  Event* const event = Event::find(handle);
  if (event == nullptr || !is_stream(stream_handle)) return CUDA_ERROR_INVALID_HANDLE;
  const Context& home =
      is_default_stream(stream_handle) ? *call.context : Stream::find(stream_handle)->context;
  if (&event->context != &home) return CUDA_ERROR_INVALID_HANDLE;
  event->recorded = std::chrono::steady_clock::now();
  return CUDA_SUCCESS;
}

// An event that was never recorded counts as having happened (streams_events, step 10).
CUresult wait_for(CUevent handle) {
  const Reading call;
  if (call.error) return call.error;
  return Event::find(handle) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult elapsed(float* milliseconds, CUevent first, CUevent second) {
  const Reading call;
  if (call.error) return call.error;
  if (milliseconds == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Event* const start = Event::find(first);
  const Event* const end = Event::find(second);
  if (start == nullptr || end == nullptr || ((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) != 0 ||
      !start->recorded || !end->recorded) {
    return CUDA_ERROR_INVALID_HANDLE;
  }
  *milliseconds = std::chrono::duration<float, std::milli>(*end->recorded - *start->recorded).count();
  return CUDA_SUCCESS;
}

}  // namespace

// cuEventCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY.
// Sharing with another process is not to be had.
CUresult CUDAAPI cuEventCreate(CUevent* handle, unsigned int flags) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || (flags & ~known_flags) != 0) return CUDA_ERROR_INVALID_VALUE;
  if ((flags & CU_EVENT_INTERPROCESS) != 0) return CUDA_ERROR_NOT_SUPPORTED;
  auto event = std::make_unique<Event>(*call.context, flags);
  *handle = event->handle();
  call.context->own(std::move(event));
  return CUDA_SUCCESS;
}

// cuEventDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
CUresult CUDAAPI cuEventDestroy_v2(CUevent handle) {
  const Changing call;
  if (call.error) return call.error;
  Event* const event = Event::find(handle);
  if (event == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  event->context.disown(event);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuEventDestroy(CUevent event) {
  return cuEventDestroy_v2(event);
}

// cuEventRecord. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE, INVALID_VALUE.
CUresult CUDAAPI cuEventRecord(CUevent event, CUstream stream) {
  return record(event, stream, 0);
}
CUresult CUDAAPI cuEventRecord_ptsz(CUevent event, CUstream stream) {
  return record(event, stream, 0);
}

CUresult CUDAAPI cuEventRecordWithFlags(CUevent event, CUstream stream, unsigned int flags) {
  return record(event, stream, flags);
}
CUresult CUDAAPI cuEventRecordWithFlags_ptsz(CUevent event, CUstream stream, unsigned int flags) {
  return record(event, stream, flags);
}

// cuEventQuery. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_HANDLE, INVALID_VALUE, NOT_READY.
CUresult CUDAAPI cuEventQuery(CUevent event) {
  return wait_for(event);
}

// cuEventSynchronize. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE.
CUresult CUDAAPI cuEventSynchronize(CUevent event) {
  return wait_for(event);
}

// cuEventElapsedTime. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE,
// NOT_READY, UNKNOWN. Measured: an event that was never recorded, or that keeps no time, answers 400
// (streams_events, steps 11 and 19).
CUresult CUDAAPI cuEventElapsedTime(float* milliseconds, CUevent start, CUevent end) {
  return elapsed(milliseconds, start, end);
}

CUresult CUDAAPI cuEventElapsedTime_v2(float* milliseconds, CUevent start, CUevent end) {
  return elapsed(milliseconds, start, end);
}

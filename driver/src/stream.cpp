// Entry points of the manual's chapter "Stream Management": making, asking and waiting for streams.
//
// Work is done when its call returns (core/stream.hpp), so waiting is checking. Using a stream while another
// context than its own is current is fine (truth streams_events, steps 24 to 29). The real driver crashes on
// a made-up handle and on destroying twice (after step 33); here they answer 400.
#include "core/stream.hpp"

#include <algorithm>
#include <memory>

#include "core/call.hpp"

using namespace driver;

namespace {

CUresult create(CUstream* handle, unsigned flags, int priority) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || (flags & ~static_cast<unsigned>(CU_STREAM_NON_BLOCKING)) != 0) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // Lower numbers are more urgent; "clamped to the nearest" is the manual's word.
  priority = std::clamp(priority, Device::greatest_priority, Device::least_priority);
  auto stream = std::make_unique<Stream>(*call.context, flags, priority);
  *handle = stream->handle();
  call.context->own(std::move(stream));
  return CUDA_SUCCESS;
}

// What a stream is asked: of a default one the current context answers.
template <typename Value, typename OfDefault, typename OfStream>
CUresult ask(CUstream handle, Value* value, OfDefault of_default, OfStream of_stream) {
  const Reading call;
  if (call.error) return call.error;
  if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (is_default_stream(handle)) {
    *value = of_default(*call.context);
    return CUDA_SUCCESS;
  }
  Stream* const stream = Stream::find(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  *value = of_stream(*stream);
  return CUDA_SUCCESS;
}

CUresult wait_for(CUstream handle) {
  const Reading call;
  if (call.error) return call.error;
  return is_stream(handle) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult wait_for_event(CUstream handle, CUevent event, unsigned flags) {
  const Reading call;
  if (call.error) return call.error;
  if (flags > CU_EVENT_WAIT_EXTERNAL) return CUDA_ERROR_INVALID_VALUE;
  return is_stream(handle) && Event::find(event) != nullptr ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}

CUresult get_context(CUstream handle, CUcontext* context) {
  return ask(
      handle, context, [](Context& current) { return current.handle(); },
      [](Stream& stream) { return stream.context.handle(); });
}

CUresult get_flags(CUstream handle, unsigned* flags) {
  return ask(handle, flags, [](Context&) { return 0U; }, [](Stream& stream) { return stream.flags; });
}

CUresult get_priority(CUstream handle, int* priority) {
  return ask(
      handle, priority, [](Context&) { return Device::least_priority; },
      [](Stream& stream) { return stream.priority; });
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

// In the functions for the per-thread default stream a null handle means that stream.
CUstream or_per_thread(CUstream handle) {
  return handle == nullptr ? CU_STREAM_PER_THREAD : handle;
}

}  // namespace

// cuStreamCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, OUT_OF_MEMORY.
// Measured: unknown flags answer 1 (streams_events, step 5).
CUresult CUDAAPI cuStreamCreate(CUstream* stream, unsigned int flags) {
  return create(stream, flags, 0);
}

// cuStreamCreateWithPriority. Errors: as cuStreamCreate.
CUresult CUDAAPI cuStreamCreateWithPriority(CUstream* stream, unsigned int flags, int priority) {
  return create(stream, flags, priority);
}

// cuStreamDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE. A
// default stream cannot be destroyed.
CUresult CUDAAPI cuStreamDestroy_v2(CUstream handle) {
  const Changing call;
  if (call.error) return call.error;
  Stream* const stream = is_default_stream(handle) ? nullptr : Stream::find(handle);
  if (stream == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  stream->context.disown(stream);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI cuStreamDestroy(CUstream stream) {
  return cuStreamDestroy_v2(stream);
}

// cuStreamQuery. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE,
// NOT_READY.
CUresult CUDAAPI cuStreamQuery(CUstream stream) {
  return wait_for(stream);
}
CUresult CUDAAPI cuStreamQuery_ptsz(CUstream stream) {
  return wait_for(or_per_thread(stream));
}

// cuStreamSynchronize. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE.
CUresult CUDAAPI cuStreamSynchronize(CUstream stream) {
  return wait_for(stream);
}
CUresult CUDAAPI cuStreamSynchronize_ptsz(CUstream stream) {
  return wait_for(or_per_thread(stream));
}

// cuStreamWaitEvent. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE.
CUresult CUDAAPI cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
  return wait_for_event(stream, event, flags);
}
CUresult CUDAAPI cuStreamWaitEvent_ptsz(CUstream stream, CUevent event, unsigned int flags) {
  return wait_for_event(or_per_thread(stream), event, flags);
}

// cuStreamGetCtx. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE,
// NOT_SUPPORTED.
CUresult CUDAAPI cuStreamGetCtx(CUstream stream, CUcontext* context) {
  return get_context(stream, context);
}
CUresult CUDAAPI cuStreamGetCtx_ptsz(CUstream stream, CUcontext* context) {
  return get_context(or_per_thread(stream), context);
}

// cuStreamGetFlags. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
CUresult CUDAAPI cuStreamGetFlags(CUstream stream, unsigned int* flags) {
  return get_flags(stream, flags);
}
CUresult CUDAAPI cuStreamGetFlags_ptsz(CUstream stream, unsigned int* flags) {
  return get_flags(or_per_thread(stream), flags);
}

// cuStreamGetPriority. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE,
// INVALID_HANDLE.
CUresult CUDAAPI cuStreamGetPriority(CUstream stream, int* priority) {
  return get_priority(stream, priority);
}
CUresult CUDAAPI cuStreamGetPriority_ptsz(CUstream stream, int* priority) {
  return get_priority(or_per_thread(stream), priority);
}

// cuStreamGetDevice. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
CUresult CUDAAPI cuStreamGetDevice(CUstream stream, CUdevice* device) {
  return get_device(stream, device);
}
CUresult CUDAAPI cuStreamGetDevice_ptsz(CUstream stream, CUdevice* device) {
  return get_device(or_per_thread(stream), device);
}

// cuStreamGetId. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, INVALID_HANDLE.
CUresult CUDAAPI cuStreamGetId(CUstream stream, unsigned long long* id) {
  return get_id(stream, id);
}
CUresult CUDAAPI cuStreamGetId_ptsz(CUstream stream, unsigned long long* id) {
  return get_id(or_per_thread(stream), id);
}

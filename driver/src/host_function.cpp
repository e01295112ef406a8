// SPDX-License-Identifier: MIT
// Entry points of the chapters "Stream Management" and "Execution Control" that run the program's own code in
// the order of a stream.
//
// It never runs on the thread that enqueues it, and it may call nothing of the driver, not even
// cuDeviceGetCount (truth host_functions, steps 7 and 11).
#include "core/host_function.hpp"

#include "core/call.hpp"
#include "core/per_thread_variants.hpp"

using namespace driver;

namespace {

// Called in any case, with the error if there was one (step 19).
class Callback : public Operation {
 public:
  Callback(CUstream stream, CUstreamCallback function, void* data)
      : stream_(stream), function_(function), data_(data) {}
  Started start() override {
    call(CUDA_SUCCESS);
    return {};
  }
  void skip(CUresult error) override { call(error); }
  Weight weight() const override { return Weight::HostCode; }

 private:
  void call(CUresult status) const {
    const InHostFunction marked;
    function_(stream_, status, data_);
  }

  CUstream stream_;
  CUstreamCallback function_;
  void* data_;
};

// The queue of a host function. Also after a kernel has failed: a callback is called with the error, and a
// host function is accepted but never called (truth host_functions, steps 16, 17 and 20).
CUresult queue_for(const Reading& call, CUstream stream, Queue*& queue) {
  if (call.error && (call.context == nullptr || call.error != Driver::get().sticky_error)) return call.error;
  queue = find_queue(stream, *call.context);
  return queue != nullptr ? CUDA_SUCCESS : no_stream(stream);
}

CUresult launch(CUstream stream, CUhostFn function, void* data) {
  const Reading call;
  Queue* queue = nullptr;
  if (const CUresult error = queue_for(call, stream, queue)) return error;
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return queue->enqueue(std::make_shared<HostFunction>(function, data));
}

// A callback cannot be captured.
CUresult add_callback(CUstream stream, CUstreamCallback function, void* data, unsigned flags) {
  const Reading call;
  Queue* queue = nullptr;
  if (const CUresult error = queue_for(call, stream, queue)) return error;
  if (function == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  if (queue->capture != nullptr) return queue->capture->forbid();
  return queue->enqueue(std::make_shared<Callback>(stream, function, data));
}

}  // namespace

// cuLaunchHostFunc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE, NOT_SUPPORTED.
// Measured: without a function 1 (host_functions, step 13).
ON_STREAM(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void* data), launch(stream, function, data))

// cuStreamAddCallback. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_HANDLE,
// NOT_SUPPORTED. Measured: flags other than 0, or no function, 1 (host_functions, steps 12 and 14).
ON_STREAM(cuStreamAddCallback, (CUstream stream, CUstreamCallback callback, void* data, unsigned int flags),
          add_callback(stream, callback, data, flags))

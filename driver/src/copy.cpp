// Entry points of the manual's chapter "Memory Management": copies of one dimension, in every form.
//
// One function does them all (core/transfer.hpp), where it is also said who waits. Errors of all:
// DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE; of those with a stream INVALID_HANDLE.
// Bounds are measured: truth memory_errors, steps 14 to 26; waiting: truth who_waits.
#include "core/call.hpp"
#include "core/transfer.hpp"
#include "core/twins.hpp"

using namespace driver;

namespace {

constexpr Form now = Form::Synchronous;
constexpr Form later = Form::Asynchronous;

Place on_device(CUdeviceptr address) {
  return {.side = Side::Device, .address = address};
}
Place on_host(const void* address) {
  return {.side = Side::Host, .address = reinterpret_cast<std::uint64_t>(address)};
}
Place anywhere(CUdeviceptr address) {
  return {.side = Side::Either, .address = address};
}

CUresult copy_row(const Place& to, const Place& from, std::size_t size, CUstream stream, Form form) {
  return copy(to, from, {.width = size}, stream, form);
}

// Between contexts, which may be of different devices. No peer access is needed for it. Asynchronous in both
// forms, says the manual: the one without a stream only orders itself behind what both contexts do.
CUresult copy_between(CUdeviceptr to, CUcontext to_handle, CUdeviceptr from, CUcontext from_handle,
                      std::size_t size, CUstream stream, Form form) {
  if (const CUresult error = Driver::ready()) return error;
  Context* context = nullptr;
  if (const CUresult error = given_context(to_handle, context)) return error;
  if (const CUresult error = given_context(from_handle, context)) return error;
  return copy_row(on_device(to), on_device(from), size, stream, form);
}

}  // namespace

// cuMemcpy, cuMemcpyAsync: host or device on either side, told apart by their addresses.
ON_DEFAULT_STREAM(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t size),
                  copy_row(anywhere(to), anywhere(from), size, stream, now))
ON_STREAM(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
          copy_row(anywhere(to), anywhere(from), size, stream, later))

// cuMemcpyPeer, cuMemcpyPeerAsync.
ON_DEFAULT_STREAM(cuMemcpyPeer,
                  (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                   size_t size),
                  copy_between(to, to_context, from, from_context, size, stream, now))
ON_STREAM(cuMemcpyPeerAsync,
          (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t size,
           CUstream stream),
          copy_between(to, to_context, from, from_context, size, stream, later))

// cuMemcpyHtoD, cuMemcpyHtoDAsync.
ON_DEFAULT_STREAM(cuMemcpyHtoD_v2, (CUdeviceptr to, const void* from, size_t size),
                  copy_row(on_device(to), on_host(from), size, stream, now))
ON_STREAM(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, size_t size, CUstream stream),
          copy_row(on_device(to), on_host(from), size, stream, later))

// cuMemcpyDtoH, cuMemcpyDtoHAsync.
ON_DEFAULT_STREAM(cuMemcpyDtoH_v2, (void* to, CUdeviceptr from, size_t size),
                  copy_row(on_host(to), on_device(from), size, stream, now))
ON_STREAM(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, size_t size, CUstream stream),
          copy_row(on_host(to), on_device(from), size, stream, later))

// cuMemcpyDtoD, cuMemcpyDtoDAsync. Contexts and devices do not matter: pitfall 4, truth
// memory_across_contexts and two_pointer.
ON_DEFAULT_STREAM(cuMemcpyDtoD_v2, (CUdeviceptr to, CUdeviceptr from, size_t size),
                  copy_row(on_device(to), on_device(from), size, stream, now))
ON_STREAM(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
          copy_row(on_device(to), on_device(from), size, stream, later))

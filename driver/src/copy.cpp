// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Memory Management": copies of one dimension, in every form.
//
// One function does them all (core/transfer.hpp), and also decides which call waits. Errors of all:
// DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE; of those with a stream INVALID_HANDLE.
// Bounds are measured: truth memory_errors, steps 14 to 26; waiting: truth who_waits.
#include <cstdint>
#include <utility>

#include "core/call.hpp"
#include "core/per_thread_variants.hpp"
#include "core/transfer.hpp"

using namespace driver;

namespace {

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
  // Measured: with none current 201, whatever is given; null is the current one.
  Context* current = nullptr;
  if (const CUresult error = current_context(current)) return error;
  Place target = on_device(to), source = on_device(from);
  for (auto [given, place] : {std::pair{to_handle, &target}, {from_handle, &source}}) {
    if (given == nullptr) continue;
    Context* context = nullptr;
    if (const CUresult error = given_context(given, context)) return error;
    place->user = context;
  }
  return copy_row(target, source, size, stream, form);
}

// A hint where memory lies; none is one, too.
bool is_place(const CUmemLocation& hint) {
  if (hint.type == CU_MEM_LOCATION_TYPE_DEVICE) return Driver::get().device(hint.id) != nullptr;
  return hint.type >= CU_MEM_LOCATION_TYPE_INVALID && hint.type <= CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT;
}

// Measured: a batch is not captured, and the capture goes on; without a current context the value is wrong.
CUresult may_copy_in(CUstream stream) {
  const Reading call;
  if (call.error == CUDA_ERROR_INVALID_CONTEXT) return CUDA_ERROR_INVALID_VALUE;
  if (call.error) return call.error;
  const Queue* const queue = find_queue(stream, *call.context);
  if (queue == nullptr) return no_stream(stream);
  return queue->capture != nullptr ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED : CUDA_SUCCESS;
}

// The lists have to make sense as a whole before the first copy is enqueued. Where a copy fails, those before
// it stay enqueued, and failed_index is its index; SIZE_MAX where no copy did.
CUresult copy_batch(const CUdeviceptr* to, const CUdeviceptr* from, const std::size_t* sizes,
                    std::size_t count, const CUmemcpyAttributes* attributes, const std::size_t* first_copies,
                    std::size_t attribute_count, std::size_t* failed_index, CUstream stream) {
  if (const CUresult error = Driver::ready()) return error;
  if (failed_index != nullptr) *failed_index = SIZE_MAX;
  if (to == nullptr || from == nullptr || sizes == nullptr || count == 0) return CUDA_ERROR_INVALID_VALUE;
  if (attributes == nullptr || first_copies == nullptr || attribute_count == 0 || attribute_count > count) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  // The manual: not the legacy stream.
  if (stream == nullptr || stream == CU_STREAM_LEGACY) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < attribute_count; ++i) {
    const bool ascending = i == 0 ? first_copies[0] == 0 : first_copies[i] > first_copies[i - 1];
    if (!ascending || first_copies[i] >= count) return CUDA_ERROR_INVALID_VALUE;
    if (attributes[i].srcAccessOrder < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM ||
        attributes[i].srcAccessOrder > CU_MEMCPY_SRC_ACCESS_ORDER_ANY ||
        attributes[i].flags > CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE ||
        !is_place(attributes[i].srcLocHint) || !is_place(attributes[i].dstLocHint)) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  if (const CUresult error = may_copy_in(stream)) return error;
  for (std::size_t i = 0; i < count; ++i) {
    if (failed_index != nullptr) *failed_index = i;  // also where this one throws
    if (sizes[i] == 0) return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = copy_row(anywhere(to[i]), anywhere(from[i]), sizes[i], stream, kAsynchronous))
      return error;
  }
  if (failed_index != nullptr) *failed_index = SIZE_MAX;
  return CUDA_SUCCESS;
}

}  // namespace

// cuMemcpy, cuMemcpyAsync: host or device on either side, recognised by their addresses.
ON_DEFAULT_STREAM(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t size),
                  copy_row(anywhere(to), anywhere(from), size, stream, kSynchronous))
ON_STREAM(cuMemcpyAsync, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
          copy_row(anywhere(to), anywhere(from), size, stream, kAsynchronous))

// cuMemcpyPeer, cuMemcpyPeerAsync.
ON_DEFAULT_STREAM(cuMemcpyPeer,
                  (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context,
                   size_t size),
                  copy_between(to, to_context, from, from_context, size, stream, kSynchronous))
ON_STREAM(cuMemcpyPeerAsync,
          (CUdeviceptr to, CUcontext to_context, CUdeviceptr from, CUcontext from_context, size_t size,
           CUstream stream),
          copy_between(to, to_context, from, from_context, size, stream, kAsynchronous))

// cuMemcpyHtoD, cuMemcpyHtoDAsync.
ON_DEFAULT_STREAM(cuMemcpyHtoD_v2, (CUdeviceptr to, const void* from, size_t size),
                  copy_row(on_device(to), on_host(from), size, stream, kSynchronous))
ON_STREAM(cuMemcpyHtoDAsync_v2, (CUdeviceptr to, const void* from, size_t size, CUstream stream),
          copy_row(on_device(to), on_host(from), size, stream, kAsynchronous))

// cuMemcpyDtoH, cuMemcpyDtoHAsync.
ON_DEFAULT_STREAM(cuMemcpyDtoH_v2, (void* to, CUdeviceptr from, size_t size),
                  copy_row(on_host(to), on_device(from), size, stream, kSynchronous))
ON_STREAM(cuMemcpyDtoHAsync_v2, (void* to, CUdeviceptr from, size_t size, CUstream stream),
          copy_row(on_host(to), on_device(from), size, stream, kAsynchronous))

// cuMemcpyDtoD, cuMemcpyDtoDAsync. Contexts and devices do not matter: truth
// memory_across_contexts and two_pointer.
ON_DEFAULT_STREAM(cuMemcpyDtoD_v2, (CUdeviceptr to, CUdeviceptr from, size_t size),
                  copy_row(on_device(to), on_device(from), size, stream, kSynchronous))
ON_STREAM(cuMemcpyDtoDAsync_v2, (CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream),
          copy_row(on_device(to), on_device(from), size, stream, kAsynchronous))

// cuMemcpyBatchAsync. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Copies of a
// batch may run in any order; here they run in theirs.
ON_STREAM(cuMemcpyBatchAsync,
          (CUdeviceptr * to, CUdeviceptr* from, size_t* sizes, size_t count, CUmemcpyAttributes* attributes,
           size_t* first_copies, size_t attribute_count, size_t* failed_index, CUstream stream),
          copy_batch(to, from, sizes, count, attributes, first_copies, attribute_count, failed_index, stream))
ON_STREAM(cuMemcpyBatchAsync_v2,
          (CUdeviceptr * to, CUdeviceptr* from, size_t* sizes, size_t count, CUmemcpyAttributes* attributes,
           size_t* first_copies, size_t attribute_count, CUstream stream),
          copy_batch(to, from, sizes, count, attributes, first_copies, attribute_count, nullptr, stream))

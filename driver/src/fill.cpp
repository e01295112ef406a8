// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Memory Management": filling memory (cuMemsetD…), in rows or in one
// piece.
//
// One function does them all (core/transfer.hpp). Errors of all: DEINITIALIZED, NOT_INITIALIZED,
// INVALID_CONTEXT, INVALID_VALUE (misaligned, out of bounds); of those with a stream INVALID_HANDLE. Bounds
// and alignment are measured: truth memory_errors, steps 27 to 31. No form waits (truth who_waits, step 6).
#include <limits>

#include "core/per_thread_variants.hpp"
#include "core/transfer.hpp"

using namespace driver;

namespace {

// `height` rows of `count` values, `pitch` bytes from one to the next.
template <typename Value>
CUresult fill_rows(CUdeviceptr address, std::size_t pitch, Value value, std::size_t count, std::size_t height,
                   CUstream stream, Form form) {
  // More than any memory: the same error as for other bounds.
  if (count > std::numeric_limits<std::size_t>::max() / sizeof(Value)) return CUDA_ERROR_INVALID_VALUE;
  return fill({.side = Side::Device, .address = address, .pitch = pitch},
              {.width = count * sizeof(Value), .height = height}, value, sizeof(Value), stream, form);
}

template <typename Value>
CUresult fill_row(CUdeviceptr address, Value value, std::size_t count, CUstream stream, Form form) {
  return fill_rows(address, 0, value, count, 1, stream, form);
}

}  // namespace

// cuMemsetD8, cuMemsetD8Async.
ON_DEFAULT_STREAM(cuMemsetD8_v2, (CUdeviceptr address, unsigned char value, size_t count),
                  fill_row(address, value, count, stream, kSynchronous))
ON_STREAM(cuMemsetD8Async, (CUdeviceptr address, unsigned char value, size_t count, CUstream stream),
          fill_row(address, value, count, stream, kAsynchronous))

// cuMemsetD16, cuMemsetD16Async.
ON_DEFAULT_STREAM(cuMemsetD16_v2, (CUdeviceptr address, unsigned short value, size_t count),
                  fill_row(address, value, count, stream, kSynchronous))
ON_STREAM(cuMemsetD16Async, (CUdeviceptr address, unsigned short value, size_t count, CUstream stream),
          fill_row(address, value, count, stream, kAsynchronous))

// cuMemsetD32, cuMemsetD32Async.
ON_DEFAULT_STREAM(cuMemsetD32_v2, (CUdeviceptr address, unsigned int value, size_t count),
                  fill_row(address, value, count, stream, kSynchronous))
ON_STREAM(cuMemsetD32Async, (CUdeviceptr address, unsigned int value, size_t count, CUstream stream),
          fill_row(address, value, count, stream, kAsynchronous))

// cuMemsetD2D8, cuMemsetD2D8Async.
ON_DEFAULT_STREAM(cuMemsetD2D8_v2,
                  (CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height),
                  fill_rows(address, pitch, value, width, height, stream, kSynchronous))
ON_STREAM(cuMemsetD2D8Async,
          (CUdeviceptr address, size_t pitch, unsigned char value, size_t width, size_t height,
           CUstream stream),
          fill_rows(address, pitch, value, width, height, stream, kAsynchronous))

// cuMemsetD2D16, cuMemsetD2D16Async.
ON_DEFAULT_STREAM(cuMemsetD2D16_v2,
                  (CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height),
                  fill_rows(address, pitch, value, width, height, stream, kSynchronous))
ON_STREAM(cuMemsetD2D16Async,
          (CUdeviceptr address, size_t pitch, unsigned short value, size_t width, size_t height,
           CUstream stream),
          fill_rows(address, pitch, value, width, height, stream, kAsynchronous))

// cuMemsetD2D32, cuMemsetD2D32Async.
ON_DEFAULT_STREAM(cuMemsetD2D32_v2,
                  (CUdeviceptr address, size_t pitch, unsigned int value, size_t width, size_t height),
                  fill_rows(address, pitch, value, width, height, stream, kSynchronous))
ON_STREAM(cuMemsetD2D32Async,
          (CUdeviceptr address, size_t pitch, unsigned int value, size_t width, size_t height,
           CUstream stream),
          fill_rows(address, pitch, value, width, height, stream, kAsynchronous))

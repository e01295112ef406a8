// Entry points of the manual's chapter "Memory Management": filling memory (cuMemsetD…), in rows or in one
// piece.
//
// One function does them all; the Async forms are done when they return, as in copy.cpp. Bounds and alignment
// are measured: truth memory_errors, steps 27 to 31.
#include <algorithm>
#include <limits>

#include "core/call.hpp"
#include "core/place.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

// Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE (misaligned, out of bounds); and of
// a stream that is none INVALID_HANDLE. Filling nothing is a success.
template <typename Value>
CUresult fill(CUdeviceptr address, Value value, std::size_t count, CUstream stream = nullptr) {
  const Reading call;
  if (call.error) return call.error;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (count == 0) return CUDA_SUCCESS;
  if (address % sizeof(Value) != 0 || count > std::numeric_limits<std::size_t>::max() / sizeof(Value)) {
    return CUDA_ERROR_INVALID_VALUE;
  }
  std::byte* const bytes = find_bytes(Driver::get().memory(), Side::Device, address, count * sizeof(Value));
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::fill_n(reinterpret_cast<Value*>(bytes), count, value);
  return CUDA_SUCCESS;
}

// `height` rows of `width` values, `pitch` bytes from one to the next.
template <typename Value>
CUresult fill_rows(CUdeviceptr address, std::size_t pitch, Value value, std::size_t width, std::size_t height,
                   CUstream stream = nullptr) {
  const Reading call;
  if (call.error) return call.error;
  if (!is_stream(stream)) return CUDA_ERROR_INVALID_HANDLE;
  if (width == 0 || height == 0) return CUDA_SUCCESS;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  if (address % sizeof(Value) != 0 || width > most / sizeof(Value)) return CUDA_ERROR_INVALID_VALUE;
  const std::size_t row = width * sizeof(Value);
  if (height > 1) {
    if (pitch % sizeof(Value) != 0 || pitch < row || height - 1 > (most - row) / pitch) {
      return CUDA_ERROR_INVALID_VALUE;
    }
  }
  const std::size_t extent = (height - 1) * pitch + row;
  std::byte* const bytes = find_bytes(Driver::get().memory(), Side::Device, address, extent);
  if (bytes == nullptr) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t y = 0; y < height; ++y)
    std::fill_n(reinterpret_cast<Value*>(bytes + y * pitch), width, value);
  return CUDA_SUCCESS;
}

}  // namespace

// cuMemsetD8.
CUresult CUDAAPI cuMemsetD8_v2(CUdeviceptr address, unsigned char value, size_t count) {
  return fill(address, value, count);
}

CUresult CUDAAPI cuMemsetD8_v2_ptds(CUdeviceptr address, unsigned char value, size_t count) {
  return fill(address, value, count);
}

CUresult CUDAAPI cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream) {
  return fill(address, value, count, stream);
}

CUresult CUDAAPI cuMemsetD8Async_ptsz(CUdeviceptr address, unsigned char value, size_t count,
                                      CUstream stream) {
  return fill(address, value, count, stream);
}

// cuMemsetD16.
CUresult CUDAAPI cuMemsetD16_v2(CUdeviceptr address, unsigned short value, size_t count) {
  return fill(address, value, count);
}

CUresult CUDAAPI cuMemsetD16_v2_ptds(CUdeviceptr address, unsigned short value, size_t count) {
  return fill(address, value, count);
}

CUresult CUDAAPI cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream) {
  return fill(address, value, count, stream);
}

CUresult CUDAAPI cuMemsetD16Async_ptsz(CUdeviceptr address, unsigned short value, size_t count,
                                       CUstream stream) {
  return fill(address, value, count, stream);
}

// cuMemsetD32.
CUresult CUDAAPI cuMemsetD32_v2(CUdeviceptr address, unsigned int value, size_t count) {
  return fill(address, value, count);
}

CUresult CUDAAPI cuMemsetD32_v2_ptds(CUdeviceptr address, unsigned int value, size_t count) {
  return fill(address, value, count);
}

CUresult CUDAAPI cuMemsetD32Async(CUdeviceptr address, unsigned int value, size_t count, CUstream stream) {
  return fill(address, value, count, stream);
}

CUresult CUDAAPI cuMemsetD32Async_ptsz(CUdeviceptr address, unsigned int value, size_t count,
                                       CUstream stream) {
  return fill(address, value, count, stream);
}

// cuMemsetD2D8.
CUresult CUDAAPI cuMemsetD2D8_v2(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                                 size_t height) {
  return fill_rows(address, pitch, value, width, height);
}

CUresult CUDAAPI cuMemsetD2D8_v2_ptds(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                                      size_t height) {
  return fill_rows(address, pitch, value, width, height);
}

CUresult CUDAAPI cuMemsetD2D8Async(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                                   size_t height, CUstream stream) {
  return fill_rows(address, pitch, value, width, height, stream);
}

CUresult CUDAAPI cuMemsetD2D8Async_ptsz(CUdeviceptr address, size_t pitch, unsigned char value, size_t width,
                                        size_t height, CUstream stream) {
  return fill_rows(address, pitch, value, width, height, stream);
}

// cuMemsetD2D16.
CUresult CUDAAPI cuMemsetD2D16_v2(CUdeviceptr address, size_t pitch, unsigned short value, size_t width,
                                  size_t height) {
  return fill_rows(address, pitch, value, width, height);
}

CUresult CUDAAPI cuMemsetD2D16_v2_ptds(CUdeviceptr address, size_t pitch, unsigned short value, size_t width,
                                       size_t height) {
  return fill_rows(address, pitch, value, width, height);
}

CUresult CUDAAPI cuMemsetD2D16Async(CUdeviceptr address, size_t pitch, unsigned short value, size_t width,
                                    size_t height, CUstream stream) {
  return fill_rows(address, pitch, value, width, height, stream);
}

CUresult CUDAAPI cuMemsetD2D16Async_ptsz(CUdeviceptr address, size_t pitch, unsigned short value,
                                         size_t width, size_t height, CUstream stream) {
  return fill_rows(address, pitch, value, width, height, stream);
}

// cuMemsetD2D32.
CUresult CUDAAPI cuMemsetD2D32_v2(CUdeviceptr address, size_t pitch, unsigned int value, size_t width,
                                  size_t height) {
  return fill_rows(address, pitch, value, width, height);
}

CUresult CUDAAPI cuMemsetD2D32_v2_ptds(CUdeviceptr address, size_t pitch, unsigned int value, size_t width,
                                       size_t height) {
  return fill_rows(address, pitch, value, width, height);
}

CUresult CUDAAPI cuMemsetD2D32Async(CUdeviceptr address, size_t pitch, unsigned int value, size_t width,
                                    size_t height, CUstream stream) {
  return fill_rows(address, pitch, value, width, height, stream);
}

CUresult CUDAAPI cuMemsetD2D32Async_ptsz(CUdeviceptr address, size_t pitch, unsigned int value, size_t width,
                                         size_t height, CUstream stream) {
  return fill_rows(address, pitch, value, width, height, stream);
}

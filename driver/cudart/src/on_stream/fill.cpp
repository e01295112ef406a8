// SPDX-License-Identifier: MIT
// The manual's fills, of one, two and three dimensions, with and without a stream.
//
// Compiled twice; see copy.cpp. A volume is rows of its pitch, as many as all its slices have.
#include "runtime.hpp"

using namespace cudart;

namespace {

unsigned char byte_of(int value) {
  return static_cast<unsigned char>(value);
}

// Slices follow each other at ysize rows. Where a slice is filled whole, all of them are one area.
template <class Fill>
CUresult fill_volume(const cudaPitchedPtr& where, cudaExtent extent, Fill fill) {
  if (extent.width == 0 || extent.height == 0 || extent.depth == 0) return CUDA_SUCCESS;
  const CUdeviceptr first = address_of(where.ptr);
  if (extent.depth == 1 || where.ysize == extent.height) return fill(first, extent.height * extent.depth);
  for (size_t slice = 0; slice < extent.depth; ++slice) {
    const CUresult error = fill(first + slice * where.pitch * where.ysize, extent.height);
    if (error != CUDA_SUCCESS) return error;
  }
  return CUDA_SUCCESS;
}

}  // namespace

// cudaMemset. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemset(void* pointer, int value, size_t size) {
  return with_context(
      [&] { return size == 0 ? CUDA_SUCCESS : cuMemsetD8(address_of(pointer), byte_of(value), size); });
}

// cudaMemsetAsync. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemsetAsync(void* pointer, int value, size_t size, cudaStream_t stream) {
  return with_context([&] {
    return size == 0 ? CUDA_SUCCESS : cuMemsetD8Async(address_of(pointer), byte_of(value), size, stream);
  });
}

// cudaMemset2D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemset2D(void* pointer, size_t pitch, int value, size_t width, size_t height) {
  return with_context([&] {
    if (width == 0 || height == 0) return CUDA_SUCCESS;
    return cuMemsetD2D8(address_of(pointer), pitch, byte_of(value), width, height);
  });
}

// cudaMemset2DAsync. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemset2DAsync(void* pointer, size_t pitch, int value, size_t width, size_t height,
                                        cudaStream_t stream) {
  return with_context([&] {
    if (width == 0 || height == 0) return CUDA_SUCCESS;
    return cuMemsetD2D8Async(address_of(pointer), pitch, byte_of(value), width, height, stream);
  });
}

// cudaMemset3D. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemset3D(cudaPitchedPtr where, int value, cudaExtent extent) {
  return with_context([&] {
    return fill_volume(where, extent, [&](CUdeviceptr address, size_t rows) {
      return cuMemsetD2D8(address, where.pitch, byte_of(value), extent.width, rows);
    });
  });
}

// cudaMemset3DAsync. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaMemset3DAsync(cudaPitchedPtr where, int value, cudaExtent extent,
                                        cudaStream_t stream) {
  return with_context([&] {
    return fill_volume(where, extent, [&](CUdeviceptr address, size_t rows) {
      return cuMemsetD2D8Async(address, where.pitch, byte_of(value), extent.width, rows, stream);
    });
  });
}

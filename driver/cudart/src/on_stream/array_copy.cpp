// SPDX-License-Identifier: MIT
// The manual's copies of two dimensions to, from and between arrays.
//
// Compiled twice; see copy.cpp. Offsets in a row are bytes. Copies of three dimensions are with the others.
#include "array.hpp"
#include "shapes.hpp"

using namespace cudart;

namespace {

CUresult to_array(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                  size_t height, cudaMemcpyKind kind, CUDA_MEMCPY2D& shape) {
  if (!is_direction(kind)) return invalid_copy_direction;
  if (width > pitch) return static_cast<CUresult>(cudaErrorInvalidPitchValue);
  shape = shape_of(nullptr, 0, from, pitch, width, height, kind);
  shape.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  shape.dstArray = as_array(to);
  shape.dstXInBytes = x;
  shape.dstY = y;
  return CUDA_SUCCESS;
}

CUresult from_array(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                    size_t height, cudaMemcpyKind kind, CUDA_MEMCPY2D& shape) {
  if (!is_direction(kind)) return invalid_copy_direction;
  if (width > pitch) return static_cast<CUresult>(cudaErrorInvalidPitchValue);
  shape = shape_of(to, pitch, nullptr, 0, width, height, kind);
  shape.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  shape.srcArray = as_array(from);
  shape.srcXInBytes = x;
  shape.srcY = y;
  return CUDA_SUCCESS;
}

}  // namespace

// cudaMemcpy2DToArray. Errors: InvalidValue, InvalidPitchValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                          size_t width, size_t height, cudaMemcpyKind kind) {
  return with_context([&] {
    CUDA_MEMCPY2D shape;
    const CUresult error = to_array(to, x, y, from, pitch, width, height, kind, shape);
    return error != CUDA_SUCCESS ? error : cuMemcpy2D(&shape);
  });
}

// cudaMemcpy2DToArrayAsync. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                               size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  return with_context([&] {
    CUDA_MEMCPY2D shape;
    const CUresult error = to_array(to, x, y, from, pitch, width, height, kind, shape);
    return error != CUDA_SUCCESS ? error : cuMemcpy2DAsync(&shape, stream);
  });
}

// cudaMemcpy2DFromArray. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                            size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return with_context([&] {
    CUDA_MEMCPY2D shape;
    const CUresult error = from_array(to, pitch, from, x, y, width, height, kind, shape);
    return error != CUDA_SUCCESS ? error : cuMemcpy2D(&shape);
  });
}

// cudaMemcpy2DFromArrayAsync. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                                 size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return with_context([&] {
    CUDA_MEMCPY2D shape;
    const CUresult error = from_array(to, pitch, from, x, y, width, height, kind, shape);
    return error != CUDA_SUCCESS ? error : cuMemcpy2DAsync(&shape, stream);
  });
}

// cudaMemcpy2DArrayToArray. Errors: InvalidValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                               cudaArray_const_t from, size_t from_x, size_t from_y,
                                               size_t width, size_t height, cudaMemcpyKind kind) {
  return with_context([&] {
    CUDA_MEMCPY2D shape;
    if (const CUresult error = from_array(nullptr, width, from, from_x, from_y, width, height, kind, shape))
      return error;
    shape.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    shape.dstArray = as_array(to);
    shape.dstXInBytes = to_x;
    shape.dstY = to_y;
    return cuMemcpy2D(&shape);
  });
}

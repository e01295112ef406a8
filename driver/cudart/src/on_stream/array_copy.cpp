// SPDX-License-Identifier: MIT
// The manual's copies of two dimensions to, from and between arrays.
//
// Compiled twice; see copy.cpp. Offsets in a row are bytes. Copies of three dimensions are with the others.
#include "array.hpp"
#include "shapes.hpp"

using namespace cudart;

namespace {

CUresult check_rows(size_t width, size_t pitch, cudaMemcpyKind kind) {
  if (!is_direction(kind)) return kInvalidCopyDirection;
  return width > pitch ? static_cast<CUresult>(cudaErrorInvalidPitchValue) : CUDA_SUCCESS;
}

void put_source(CUDA_MEMCPY2D& shape, cudaArray_const_t from, size_t x, size_t y) {
  shape.srcMemoryType = CU_MEMORYTYPE_ARRAY;
  shape.srcArray = as_array(from);
  shape.srcXInBytes = x;
  shape.srcY = y;
}

void put_destination(CUDA_MEMCPY2D& shape, cudaArray_t to, size_t x, size_t y) {
  shape.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  shape.dstArray = as_array(to);
  shape.dstXInBytes = x;
  shape.dstY = y;
}

// By a call of the driver with its stream if it has one.
template <class... Stream>
cudaError_t copy_to_array(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch, size_t width,
                          size_t height, cudaMemcpyKind kind,
                          CUresult (*copy)(const CUDA_MEMCPY2D*, Stream...), Stream... stream) {
  return with_context([&] {
    if (const CUresult error = check_rows(width, pitch, kind)) return error;
    CUDA_MEMCPY2D shape = shape_of(nullptr, 0, from, pitch, width, height, kind);
    put_destination(shape, to, x, y);
    return copy(&shape, stream...);
  });
}

template <class... Stream>
cudaError_t copy_from_array(void* to, size_t pitch, cudaArray_const_t from, size_t x, size_t y, size_t width,
                            size_t height, cudaMemcpyKind kind,
                            CUresult (*copy)(const CUDA_MEMCPY2D*, Stream...), Stream... stream) {
  return with_context([&] {
    if (const CUresult error = check_rows(width, pitch, kind)) return error;
    CUDA_MEMCPY2D shape = shape_of(to, pitch, nullptr, 0, width, height, kind);
    put_source(shape, from, x, y);
    return copy(&shape, stream...);
  });
}

}  // namespace

// cudaMemcpy2DToArray. Errors: InvalidValue, InvalidPitchValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void* from, size_t pitch,
                                          size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_to_array(to, x, y, from, pitch, width, height, kind, cuMemcpy2D);
}

// cudaMemcpy2DToArrayAsync. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void* from,
                                               size_t pitch, size_t width, size_t height, cudaMemcpyKind kind,
                                               cudaStream_t stream) {
  return copy_to_array(to, x, y, from, pitch, width, height, kind, cuMemcpy2DAsync, stream);
}

// cudaMemcpy2DFromArray. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpy2DFromArray(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                            size_t y, size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_from_array(to, pitch, from, x, y, width, height, kind, cuMemcpy2D);
}

// cudaMemcpy2DFromArrayAsync. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpy2DFromArrayAsync(void* to, size_t pitch, cudaArray_const_t from, size_t x,
                                                 size_t y, size_t width, size_t height, cudaMemcpyKind kind,
                                                 cudaStream_t stream) {
  return copy_from_array(to, pitch, from, x, y, width, height, kind, cuMemcpy2DAsync, stream);
}

// cudaMemcpy2DArrayToArray. Errors: InvalidValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                               cudaArray_const_t from, size_t from_x, size_t from_y,
                                               size_t width, size_t height, cudaMemcpyKind kind) {
  return with_context([&] {
    if (!is_direction(kind)) return kInvalidCopyDirection;
    CUDA_MEMCPY2D shape = shape_of(nullptr, 0, nullptr, 0, width, height, kind);
    put_source(shape, from, from_x, from_y);
    put_destination(shape, to, to_x, to_y);
    return cuMemcpy2D(&shape);
  });
}

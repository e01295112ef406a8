// SPDX-License-Identifier: MIT
// Copies of two and three dimensions in the driver's terms.
//
// The runtime has cudaMemcpyKind for the direction; the driver needs the kind of memory on each side. For
// arrays, the runtime counts elements and the driver bytes.
#pragma once

#include "array.hpp"
#include "code.hpp"

namespace cudart {

inline CUmemorytype from_type(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  const bool host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice;
  return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

inline CUmemorytype to_type(cudaMemcpyKind kind) {
  if (kind == cudaMemcpyDefault) return CU_MEMORYTYPE_UNIFIED;
  const bool host = kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost;
  return host ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
}

inline bool is_direction(cudaMemcpyKind kind) {
  return kind >= cudaMemcpyHostToHost && kind <= cudaMemcpyDefault;
}

// Both names of an address are filled in; the driver reads the one that the kind of memory says.
inline CUDA_MEMCPY2D shape_of(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind) {
  CUDA_MEMCPY2D shape = {};
  shape.srcMemoryType = from_type(kind);
  shape.srcHost = from;
  shape.srcDevice = address_of(from);
  shape.srcPitch = from_pitch;
  shape.dstMemoryType = to_type(kind);
  shape.dstHost = to;
  shape.dstDevice = address_of(to);
  shape.dstPitch = to_pitch;
  shape.WidthInBytes = width;
  shape.Height = height;
  return shape;
}

// What both structs of three dimensions share, of the runtime's and of the driver's.
template <class Shape, class Parameters>
Shape volume_of(const Parameters& given) {
  Shape shape = {};
  shape.srcXInBytes = given.srcPos.x;
  shape.srcY = given.srcPos.y;
  shape.srcZ = given.srcPos.z;
  shape.srcHost = given.srcPtr.ptr;
  shape.srcDevice = address_of(given.srcPtr.ptr);
  shape.srcPitch = given.srcPtr.pitch;
  shape.srcHeight = given.srcPtr.ysize;
  shape.dstXInBytes = given.dstPos.x;
  shape.dstY = given.dstPos.y;
  shape.dstZ = given.dstPos.z;
  shape.dstHost = given.dstPtr.ptr;
  shape.dstDevice = address_of(given.dstPtr.ptr);
  shape.dstPitch = given.dstPtr.pitch;
  shape.dstHeight = given.dstPtr.ysize;
  shape.WidthInBytes = given.extent.width;
  shape.Height = given.extent.height;
  shape.Depth = given.extent.depth;
  return shape;
}

// Sides that are arrays. Where there is one, the extent is in its elements; positions are in those of their
// side.
template <class Shape, class Parameters>
CUresult put_arrays(const Parameters& given, Shape& shape) {
  std::size_t size = 1;
  if (given.srcArray != nullptr) {
    if (const CUresult error = element_size(given.srcArray, size)) return error;
    shape.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    shape.srcArray = as_array(given.srcArray);
    shape.srcXInBytes *= size;
  }
  if (given.dstArray != nullptr) {
    if (const CUresult error = element_size(given.dstArray, size)) return error;
    shape.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    shape.dstArray = as_array(given.dstArray);
    shape.dstXInBytes *= size;
  }
  shape.WidthInBytes *= size;
  return CUDA_SUCCESS;
}

inline CUresult shape_of(const cudaMemcpy3DParms* given, CUDA_MEMCPY3D& shape) {
  if (given == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!is_direction(given->kind)) return kInvalidCopyDirection;
  shape = volume_of<CUDA_MEMCPY3D>(*given);
  shape.srcMemoryType = from_type(given->kind);
  shape.dstMemoryType = to_type(given->kind);
  return put_arrays(*given, shape);
}

inline CUresult shape_of(const cudaMemcpy3DPeerParms* given, CUDA_MEMCPY3D_PEER& shape) {
  if (given == nullptr) return CUDA_ERROR_INVALID_VALUE;
  shape = volume_of<CUDA_MEMCPY3D_PEER>(*given);
  shape.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  shape.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  if (const CUresult error = put_arrays(*given, shape)) return error;
  if (const CUresult error = primary_context(given->srcDevice, shape.srcContext)) return error;
  return primary_context(given->dstDevice, shape.dstContext);
}

}  // namespace cudart

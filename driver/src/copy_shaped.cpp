// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Memory Management": copies of two and three dimensions, and from and
// to arrays.
//
// A copy of two dimensions is one of three with a depth of 1, and both are a box for core/transfer.hpp.
// Errors of all: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE; of those with a stream
// INVALID_HANDLE, and also of those with a handle that is no array.
#include <utility>

#include "core/array.hpp"
#include "core/box.hpp"
#include "core/call.hpp"
#include "core/per_thread_variants.hpp"
#include "core/transfer.hpp"

using namespace driver;

namespace {

// One side as the structs of the manual describe it.
struct Corner {
  CUmemorytype type = CU_MEMORYTYPE_HOST;
  const void* host = nullptr;
  CUdeviceptr device = 0;
  CUarray array = nullptr;
  std::size_t x = 0, y = 0, z = 0, pitch = 0, height = 0;
};

// Whole elements inside of the array.
CUresult place_in_array(const Corner& corner, const Extent& extent, Place& place) {
  const Array* const array = Array::find(corner.array);
  if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  if (corner.x % array->element() != 0 || extent.width % array->element() != 0)
    return CUDA_ERROR_INVALID_VALUE;
  const auto fits = [](std::uint64_t first, std::uint64_t count, std::uint64_t all) {
    return first <= all && count <= all - first;
  };
  if (!fits(corner.x, extent.width, array->width()) || !fits(corner.y, extent.height, array->height()) ||
      !fits(corner.z, extent.depth, array->depth()))
    return CUDA_ERROR_INVALID_VALUE;
  place = {.side = Side::Array,
           .pitch = array->width(),
           .slice = array->width() * array->height(),
           .array = corner.array};
  const std::uint64_t offset = corner.z * place.slice + corner.y * place.pitch + corner.x;
  place.address = array->address() + offset;
  place.bytes = array->bytes() + offset;
  return CUDA_SUCCESS;
}

CUresult place_of_corner(const Corner& corner, const Extent& extent, Place& place) {
  switch (corner.type) {
    case CU_MEMORYTYPE_HOST:
      place = {.side = Side::Host, .address = reinterpret_cast<std::uint64_t>(corner.host)};
      break;
    case CU_MEMORYTYPE_DEVICE:
      place = {.side = Side::Device, .address = corner.device};
      break;
    case CU_MEMORYTYPE_UNIFIED:
      place = {.side = Side::Either, .address = corner.device};
      break;
    case CU_MEMORYTYPE_ARRAY:
      return place_in_array(corner, extent, place);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
  // A pitch of 0 means rows without anything between them, a height of 0 the same for layers.
  place.pitch = corner.pitch != 0 ? corner.pitch : corner.x + extent.width;
  const std::size_t height = corner.height != 0 ? corner.height : corner.y + extent.height;
  if (place.pitch < corner.x + extent.width) return CUDA_ERROR_INVALID_VALUE;
  if (extent.depth > 1 && height < corner.y + extent.height) return CUDA_ERROR_INVALID_VALUE;
  place.slice = place.pitch * height;
  place.address += corner.z * place.slice + corner.y * place.pitch + corner.x;
  return CUDA_SUCCESS;
}

// The contexts that a copy may name, for its target and its source.
struct Named {
  const Context* to = nullptr;
  const Context* from = nullptr;
};

CUresult copy_box(const Corner& to, const Corner& from, const Extent& extent, CUstream stream, Form form,
                  const Named& named = {}) {
  if (const CUresult error = Driver::ready()) return error;
  Context* context = nullptr;
  if (const CUresult error = current_context(context)) return error;
  Place target;
  Place source;
  if (const CUresult error = place_of_corner(to, extent, target)) return error;
  if (const CUresult error = place_of_corner(from, extent, source)) return error;
  target.user = named.to, source.user = named.from;
  return copy(target, source, extent, stream, form);
}

CUresult copy_2d(const CUDA_MEMCPY2D* shape, CUstream stream, Form form) {
  if (const CUresult error = Driver::ready()) return error;
  if (shape == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return copy_box({shape->dstMemoryType, shape->dstHost, shape->dstDevice, shape->dstArray,
                   shape->dstXInBytes, shape->dstY, 0, shape->dstPitch, 0},
                  {shape->srcMemoryType, shape->srcHost, shape->srcDevice, shape->srcArray,
                   shape->srcXInBytes, shape->srcY, 0, shape->srcPitch, 0},
                  {.width = shape->WidthInBytes, .height = shape->Height}, stream, form);
}

// The two structs of three dimensions have the same names for what counts here.
template <typename Shape>
CUresult copy_3d(const Shape* shape, CUstream stream, Form form, const Named& named = {}) {
  if (const CUresult error = Driver::ready()) return error;
  if (shape == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return copy_box({shape->dstMemoryType, shape->dstHost, shape->dstDevice, shape->dstArray,
                   shape->dstXInBytes, shape->dstY, shape->dstZ, shape->dstPitch, shape->dstHeight},
                  {shape->srcMemoryType, shape->srcHost, shape->srcDevice, shape->srcArray,
                   shape->srcXInBytes, shape->srcY, shape->srcZ, shape->srcPitch, shape->srcHeight},
                  {.width = shape->WidthInBytes, .height = shape->Height, .depth = shape->Depth}, stream,
                  form, named);
}

CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER* shape, CUstream stream, Form form) {
  if (const CUresult error = Driver::ready()) return error;
  if (shape == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Named named;
  for (auto [given, name] : {std::pair{shape->dstContext, &named.to}, {shape->srcContext, &named.from}}) {
    if (given == nullptr) continue;  // the current one: measured
    Context* context = nullptr;
    if (const CUresult error = given_context(given, context)) return error;
    *name = context;
  }
  return copy_3d(shape, stream, form, named);
}

// One side of a copy in a batch, which counts in elements: of the array on either side, otherwise in bytes.
CUresult element_of(const CUmemcpy3DOperand& operand, std::uint64_t& element) {
  if (operand.type == CU_MEMCPY_OPERAND_TYPE_POINTER) return CUDA_SUCCESS;
  if (operand.type != CU_MEMCPY_OPERAND_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  const Array* const array = Array::find(operand.op.array.array);
  if (array == nullptr) return CUDA_ERROR_INVALID_VALUE;
  element = array->element();
  return CUDA_SUCCESS;
}

Corner corner_of(const CUmemcpy3DOperand& operand, std::uint64_t element) {
  if (operand.type == CU_MEMCPY_OPERAND_TYPE_ARRAY) {
    const auto& array = operand.op.array;
    return {.type = CU_MEMORYTYPE_ARRAY,
            .array = array.array,
            .x = array.offset.x * element,
            .y = array.offset.y,
            .z = array.offset.z};
  }
  const auto& pointer = operand.op.ptr;
  return {.type = CU_MEMORYTYPE_UNIFIED,
          .device = pointer.ptr,
          .pitch = pointer.rowLength * element,
          .height = pointer.layerHeight};
}

struct BoxCopy {
  Place to, from;
  Extent extent;
};

bool layers_fit(const CUmemcpy3DOperand& operand, const CUextent3D& extent) {
  return operand.type != CU_MEMCPY_OPERAND_TYPE_POINTER || operand.op.ptr.layerHeight == 0 ||
         operand.op.ptr.layerHeight >= extent.height;
}

CUresult read_copy(const CUDA_MEMCPY3D_BATCH_OP& said, BoxCopy& copy) {
  if (said.srcAccessOrder < CU_MEMCPY_SRC_ACCESS_ORDER_STREAM ||
      said.srcAccessOrder > CU_MEMCPY_SRC_ACCESS_ORDER_ANY ||
      said.flags > CU_MEMCPY_FLAG_PREFER_OVERLAP_WITH_COMPUTE)
    return CUDA_ERROR_INVALID_VALUE;
  // Measured: nothing to copy is an error in a batch.
  if (said.extent.width == 0 || said.extent.height == 0 || said.extent.depth == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (!layers_fit(said.src, said.extent) || !layers_fit(said.dst, said.extent))
    return CUDA_ERROR_INVALID_VALUE;
  std::uint64_t element = 1;
  if (const CUresult error = element_of(said.src, element)) return error;
  if (const CUresult error = element_of(said.dst, element)) return error;
  copy.extent = {
      .width = said.extent.width * element, .height = said.extent.height, .depth = said.extent.depth};
  if (const CUresult error = place_of_corner(corner_of(said.dst, element), copy.extent, copy.to))
    return error;
  return place_of_corner(corner_of(said.src, element), copy.extent, copy.from);
}

// All copies are read before the first is enqueued.
CUresult copy_3d_batch(std::size_t count, const CUDA_MEMCPY3D_BATCH_OP* said, std::size_t* failed_index,
                       unsigned long long flags, CUstream stream) {
  if (const CUresult error = Driver::ready()) return error;
  Context* context = nullptr;
  if (const CUresult error = current_context(context)) return error;
  if (failed_index != nullptr) *failed_index = SIZE_MAX;
  if (count == 0 || said == nullptr || flags != 0) return CUDA_ERROR_INVALID_VALUE;
  // The manual: not the legacy stream.
  if (stream == nullptr || stream == CU_STREAM_LEGACY) return CUDA_ERROR_INVALID_VALUE;
  std::vector<BoxCopy> copies(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (const CUresult error = read_copy(said[i], copies[i])) {
      if (failed_index != nullptr) *failed_index = i;
      return error;
    }
  }
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [to, from, extent] = copies[i];
    if (const CUresult error = copy(to, from, extent, stream, kAsynchronous)) {
      if (failed_index != nullptr) *failed_index = i;
      return error;
    }
  }
  return CUDA_SUCCESS;
}

// One row of one array. The manual calls these copies of one-dimensional arrays; of others it is the first
// row.
Corner array_corner(CUarray array, std::size_t offset) {
  return {.type = CU_MEMORYTYPE_ARRAY, .array = array, .x = offset};
}
Corner device_corner(CUdeviceptr address) {
  return {.type = CU_MEMORYTYPE_DEVICE, .device = address};
}
Corner host_corner(const void* address) {
  return {.type = CU_MEMORYTYPE_HOST, .host = address};
}
CUresult copy_row(const Corner& to, const Corner& from, std::size_t size, CUstream stream, Form form) {
  return copy_box(to, from, {.width = size}, stream, form);
}

}  // namespace

CUresult driver::box_of(const CUDA_MEMCPY3D& shape, Place& to, Place& from, Extent& extent) {
  extent = {.width = shape.WidthInBytes, .height = shape.Height, .depth = shape.Depth};
  const CUresult error =
      place_of_corner({shape.dstMemoryType, shape.dstHost, shape.dstDevice, shape.dstArray, shape.dstXInBytes,
                       shape.dstY, shape.dstZ, shape.dstPitch, shape.dstHeight},
                      extent, to);
  if (error) return error;
  return place_of_corner({shape.srcMemoryType, shape.srcHost, shape.srcDevice, shape.srcArray,
                          shape.srcXInBytes, shape.srcY, shape.srcZ, shape.srcPitch, shape.srcHeight},
                         extent, from);
}

// cuMemcpy2D, cuMemcpy2DUnaligned, cuMemcpy2DAsync. Any pitch will do here, so both of the first are one.
ON_DEFAULT_STREAM(cuMemcpy2D_v2, (const CUDA_MEMCPY2D* shape), copy_2d(shape, stream, kSynchronous))
ON_DEFAULT_STREAM(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D* shape), copy_2d(shape, stream, kSynchronous))
ON_STREAM(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D* shape, CUstream stream),
          copy_2d(shape, stream, kAsynchronous))

// cuMemcpy3D, cuMemcpy3DAsync.
ON_DEFAULT_STREAM(cuMemcpy3D_v2, (const CUDA_MEMCPY3D* shape), copy_3d(shape, stream, kSynchronous))
ON_STREAM(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D* shape, CUstream stream),
          copy_3d(shape, stream, kAsynchronous))

// cuMemcpy3DPeer, cuMemcpy3DPeerAsync.
ON_DEFAULT_STREAM(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER* shape),
                  copy_3d_peer(shape, stream, kSynchronous))
ON_STREAM(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER* shape, CUstream stream),
          copy_3d_peer(shape, stream, kAsynchronous))

// cuMemcpy3DBatchAsync.
ON_STREAM(cuMemcpy3DBatchAsync,
          (size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, size_t* failed_index, unsigned long long flags,
           CUstream stream),
          copy_3d_batch(count, copies, failed_index, flags, stream))
ON_STREAM(cuMemcpy3DBatchAsync_v2,
          (size_t count, CUDA_MEMCPY3D_BATCH_OP* copies, unsigned long long flags, CUstream stream),
          copy_3d_batch(count, copies, nullptr, flags, stream))

// cuMemcpyDtoA, cuMemcpyAtoD, cuMemcpyAtoA.
ON_DEFAULT_STREAM(cuMemcpyDtoA_v2, (CUarray to, size_t offset, CUdeviceptr from, size_t size),
                  copy_row(array_corner(to, offset), device_corner(from), size, stream, kSynchronous))
ON_DEFAULT_STREAM(cuMemcpyAtoD_v2, (CUdeviceptr to, CUarray from, size_t offset, size_t size),
                  copy_row(device_corner(to), array_corner(from, offset), size, stream, kSynchronous))
ON_DEFAULT_STREAM(cuMemcpyAtoA_v2,
                  (CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t size),
                  copy_row(array_corner(to, to_offset), array_corner(from, from_offset), size, stream,
                           kSynchronous))

// cuMemcpyHtoA, cuMemcpyHtoAAsync.
ON_DEFAULT_STREAM(cuMemcpyHtoA_v2, (CUarray to, size_t offset, const void* from, size_t size),
                  copy_row(array_corner(to, offset), host_corner(from), size, stream, kSynchronous))
ON_STREAM(cuMemcpyHtoAAsync_v2, (CUarray to, size_t offset, const void* from, size_t size, CUstream stream),
          copy_row(array_corner(to, offset), host_corner(from), size, stream, kAsynchronous))

// cuMemcpyAtoH, cuMemcpyAtoHAsync.
ON_DEFAULT_STREAM(cuMemcpyAtoH_v2, (void* to, CUarray from, size_t offset, size_t size),
                  copy_row(host_corner(to), array_corner(from, offset), size, stream, kSynchronous))
ON_STREAM(cuMemcpyAtoHAsync_v2, (void* to, CUarray from, size_t offset, size_t size, CUstream stream),
          copy_row(host_corner(to), array_corner(from, offset), size, stream, kAsynchronous))

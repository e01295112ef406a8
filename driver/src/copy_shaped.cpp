// Entry points of the manual's chapter "Memory Management": copies of two and three dimensions.
//
// A copy of two dimensions is one of three with a depth of 1, and both are a box for core/transfer.hpp.
// Errors of all: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE; of those with a stream
// INVALID_HANDLE. Arrays are not to be had here: no handle of one can be valid.
#include "core/box.hpp"
#include "core/call.hpp"
#include "core/transfer.hpp"
#include "core/twins.hpp"

using namespace driver;

namespace {

constexpr Form now = Form::Synchronous;
constexpr Form later = Form::Asynchronous;

// One side as the structs of the manual describe it.
struct Corner {
  CUmemorytype type;
  const void* host;
  CUdeviceptr device;
  std::size_t x, y, z, pitch, height;
};

CUresult place_of(const Corner& corner, const Extent& extent, Place& place) {
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
      return CUDA_ERROR_INVALID_HANDLE;
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

CUresult copy_box(const Corner& to, const Corner& from, const Extent& extent, CUstream stream, Form form) {
  if (const CUresult error = Driver::ready()) return error;
  Context* context = nullptr;
  if (const CUresult error = current_context(context)) return error;
  Place target;
  Place source;
  if (const CUresult error = place_of(to, extent, target)) return error;
  if (const CUresult error = place_of(from, extent, source)) return error;
  return copy(target, source, extent, stream, form);
}

CUresult copy_2d(const CUDA_MEMCPY2D* shape, CUstream stream, Form form) {
  if (const CUresult error = Driver::ready()) return error;
  if (shape == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return copy_box({shape->dstMemoryType, shape->dstHost, shape->dstDevice, shape->dstXInBytes, shape->dstY, 0,
                   shape->dstPitch, 0},
                  {shape->srcMemoryType, shape->srcHost, shape->srcDevice, shape->srcXInBytes, shape->srcY, 0,
                   shape->srcPitch, 0},
                  {.width = shape->WidthInBytes, .height = shape->Height}, stream, form);
}

// The two structs of three dimensions have the same names for what counts here.
template <typename Shape>
CUresult copy_3d(const Shape* shape, CUstream stream, Form form) {
  if (const CUresult error = Driver::ready()) return error;
  if (shape == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return copy_box({shape->dstMemoryType, shape->dstHost, shape->dstDevice, shape->dstXInBytes, shape->dstY,
                   shape->dstZ, shape->dstPitch, shape->dstHeight},
                  {shape->srcMemoryType, shape->srcHost, shape->srcDevice, shape->srcXInBytes, shape->srcY,
                   shape->srcZ, shape->srcPitch, shape->srcHeight},
                  {.width = shape->WidthInBytes, .height = shape->Height, .depth = shape->Depth}, stream,
                  form);
}

CUresult copy_3d_peer(const CUDA_MEMCPY3D_PEER* shape, CUstream stream, Form form) {
  if (const CUresult error = Driver::ready()) return error;
  if (shape == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Context* context = nullptr;
  if (const CUresult error = given_context(shape->dstContext, context)) return error;
  if (const CUresult error = given_context(shape->srcContext, context)) return error;
  return copy_3d(shape, stream, form);
}

}  // namespace

CUresult driver::box_of(const CUDA_MEMCPY3D& shape, Place& to, Place& from, Extent& extent) {
  extent = {.width = shape.WidthInBytes, .height = shape.Height, .depth = shape.Depth};
  const CUresult error = place_of({shape.dstMemoryType, shape.dstHost, shape.dstDevice, shape.dstXInBytes,
                                   shape.dstY, shape.dstZ, shape.dstPitch, shape.dstHeight},
                                  extent, to);
  if (error) return error;
  return place_of({shape.srcMemoryType, shape.srcHost, shape.srcDevice, shape.srcXInBytes, shape.srcY,
                   shape.srcZ, shape.srcPitch, shape.srcHeight},
                  extent, from);
}

// cuMemcpy2D, cuMemcpy2DUnaligned, cuMemcpy2DAsync. Any pitch will do here, so both of the first are one.
ON_DEFAULT_STREAM(cuMemcpy2D_v2, (const CUDA_MEMCPY2D* shape), copy_2d(shape, stream, now))
ON_DEFAULT_STREAM(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D* shape), copy_2d(shape, stream, now))
ON_STREAM(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D* shape, CUstream stream), copy_2d(shape, stream, later))

// cuMemcpy3D, cuMemcpy3DAsync.
ON_DEFAULT_STREAM(cuMemcpy3D_v2, (const CUDA_MEMCPY3D* shape), copy_3d(shape, stream, now))
ON_STREAM(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D* shape, CUstream stream), copy_3d(shape, stream, later))

// cuMemcpy3DPeer, cuMemcpy3DPeerAsync.
ON_DEFAULT_STREAM(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER* shape), copy_3d_peer(shape, stream, now))
ON_STREAM(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER* shape, CUstream stream),
          copy_3d_peer(shape, stream, later))

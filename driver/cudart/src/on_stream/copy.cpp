// SPDX-License-Identifier: MIT
// The manual's copies between host and devices, of one, two and three dimensions, and of symbols.
//
// Everything in this folder is compiled twice: as it is, and with CUDA_API_PER_THREAD_DEFAULT_STREAM, with
// which the headers give the functions of the runtime and of the driver their other names. The driver decides
// which copy waits for what.
#include "shapes.hpp"

using namespace cudart;

namespace {

CUresult copy_now(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  if (size == 0) return CUDA_SUCCESS;
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return cuMemcpyHtoD(address_of(to), from, size);
    case cudaMemcpyDeviceToHost:
      return cuMemcpyDtoH(to, address_of(from), size);
    case cudaMemcpyDeviceToDevice:
      return cuMemcpyDtoD(address_of(to), address_of(from), size);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
      return cuMemcpy(address_of(to), address_of(from), size);
  }
  return kInvalidCopyDirection;
}

CUresult copy_later(void* to, const void* from, size_t size, cudaMemcpyKind kind, cudaStream_t stream) {
  if (size == 0) return CUDA_SUCCESS;
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return cuMemcpyHtoDAsync(address_of(to), from, size, stream);
    case cudaMemcpyDeviceToHost:
      return cuMemcpyDtoHAsync(to, address_of(from), size, stream);
    case cudaMemcpyDeviceToDevice:
      return cuMemcpyDtoDAsync(address_of(to), address_of(from), size, stream);
    case cudaMemcpyHostToHost:
    case cudaMemcpyDefault:
      return cuMemcpyAsync(address_of(to), address_of(from), size, stream);
  }
  return kInvalidCopyDirection;
}

bool leads_to_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}
bool leads_from_device(cudaMemcpyKind kind) {
  return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault;
}

// Rows, by a call of the driver with its stream if it has one.
template <class... Stream>
cudaError_t copy_rows(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width,
                      size_t height, cudaMemcpyKind kind, CUresult (*copy)(const CUDA_MEMCPY2D*, Stream...),
                      Stream... stream) {
  return with_context([&] {
    if (!is_direction(kind)) return kInvalidCopyDirection;
    if (width > to_pitch || width > from_pitch) return static_cast<CUresult>(cudaErrorInvalidPitchValue);
    if (width == 0 || height == 0) return CUDA_SUCCESS;
    const CUDA_MEMCPY2D shape = shape_of(to, to_pitch, from, from_pitch, width, height, kind);
    return copy(&shape, stream...);
  });
}

template <class Parameters, class Shape, class... Stream>
cudaError_t copy_volume(const Parameters* parameters, CUresult (*copy)(const Shape*, Stream...),
                        Stream... stream) {
  return with_context([&] {
    Shape shape;
    const CUresult error = shape_of(parameters, shape);
    return error != CUDA_SUCCESS ? error : copy(&shape, stream...);
  });
}

template <class Copy>
cudaError_t with_part(bool right_direction, const void* symbol, size_t size, size_t offset, Copy copy) {
  return with_context([&] {
    if (!right_direction) return kInvalidCopyDirection;
    void* part = nullptr;
    const CUresult error = find_part(symbol, size, offset, part);
    return error != CUDA_SUCCESS ? error : copy(part);
  });
}

}  // namespace

// cudaMemcpy. Errors: InvalidValue, InvalidMemcpyDirection (rt_bad_args, steps 5 and 7).
cudaError_t CUDARTAPI cudaMemcpy(void* to, const void* from, size_t size, cudaMemcpyKind kind) {
  return with_context([&] { return copy_now(to, from, size, kind); });
}

// cudaMemcpyAsync. Errors: InvalidValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpyAsync(void* to, const void* from, size_t size, cudaMemcpyKind kind,
                                      cudaStream_t stream) {
  return with_context([&] { return copy_later(to, from, size, kind, stream); });
}

// cudaMemcpy2D. Errors: InvalidValue, InvalidPitchValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy2D(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                   size_t width, size_t height, cudaMemcpyKind kind) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, cuMemcpy2DUnaligned);
}

// cudaMemcpy2DAsync. Errors: InvalidValue, InvalidPitchValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy2DAsync(void* to, size_t to_pitch, const void* from, size_t from_pitch,
                                        size_t width, size_t height, cudaMemcpyKind kind,
                                        cudaStream_t stream) {
  return copy_rows(to, to_pitch, from, from_pitch, width, height, kind, cuMemcpy2DAsync, stream);
}

// cudaMemcpy3D. Errors: InvalidValue, InvalidPitchValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy3D(const cudaMemcpy3DParms* parameters) {
  return copy_volume(parameters, cuMemcpy3D);
}

// cudaMemcpy3DAsync. Errors: InvalidValue, InvalidPitchValue, InvalidMemcpyDirection.
cudaError_t CUDARTAPI cudaMemcpy3DAsync(const cudaMemcpy3DParms* parameters, cudaStream_t stream) {
  return copy_volume(parameters, cuMemcpy3DAsync, stream);
}

// cudaMemcpy3DPeer. Errors: InvalidValue, InvalidDevice, InvalidPitchValue.
cudaError_t CUDARTAPI cudaMemcpy3DPeer(const cudaMemcpy3DPeerParms* parameters) {
  return copy_volume(parameters, cuMemcpy3DPeer);
}

// cudaMemcpy3DPeerAsync. Errors: InvalidValue, InvalidDevice, InvalidPitchValue.
cudaError_t CUDARTAPI cudaMemcpy3DPeerAsync(const cudaMemcpy3DPeerParms* parameters, cudaStream_t stream) {
  return copy_volume(parameters, cuMemcpy3DPeerAsync, stream);
}

// cudaMemcpyToSymbol. Errors: InvalidValue, InvalidSymbol, InvalidMemcpyDirection, NoKernelImageForDevice.
cudaError_t CUDARTAPI cudaMemcpyToSymbol(const void* symbol, const void* from, size_t size, size_t offset,
                                         cudaMemcpyKind kind) {
  return with_part(leads_to_device(kind), symbol, size, offset,
                   [&](void* part) { return copy_now(part, from, size, kind); });
}

// cudaMemcpyToSymbolAsync. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t size,
                                              size_t offset, cudaMemcpyKind kind, cudaStream_t stream) {
  return with_part(leads_to_device(kind), symbol, size, offset,
                   [&](void* part) { return copy_later(part, from, size, kind, stream); });
}

// cudaMemcpyFromSymbol. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpyFromSymbol(void* to, const void* symbol, size_t size, size_t offset,
                                           cudaMemcpyKind kind) {
  return with_part(leads_from_device(kind), symbol, size, offset,
                   [&](void* part) { return copy_now(to, part, size, kind); });
}

// cudaMemcpyFromSymbolAsync. Errors: as above.
cudaError_t CUDARTAPI cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t size, size_t offset,
                                                cudaMemcpyKind kind, cudaStream_t stream) {
  return with_part(leads_from_device(kind), symbol, size, offset,
                   [&](void* part) { return copy_later(to, part, size, kind, stream); });
}

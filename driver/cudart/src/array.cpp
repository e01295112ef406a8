// SPDX-License-Identifier: MIT
// The manual's arrays: making them, freeing them, and their properties. Copies are in
// on_stream/array_copy.cpp.
//
// The runtime describes an element by the bits of its parts, the driver by a format and a number of parts.
#include "array.hpp"

#include "code.hpp"

using namespace cudart;

namespace {

struct ElementFormat {
  cudaChannelFormatKind kind;
  int bits;
  CUarray_format format;
};
constexpr ElementFormat kElementFormats[] = {{cudaChannelFormatKindUnsigned, 8, CU_AD_FORMAT_UNSIGNED_INT8},
                                             {cudaChannelFormatKindUnsigned, 16, CU_AD_FORMAT_UNSIGNED_INT16},
                                             {cudaChannelFormatKindUnsigned, 32, CU_AD_FORMAT_UNSIGNED_INT32},
                                             {cudaChannelFormatKindSigned, 8, CU_AD_FORMAT_SIGNED_INT8},
                                             {cudaChannelFormatKindSigned, 16, CU_AD_FORMAT_SIGNED_INT16},
                                             {cudaChannelFormatKindSigned, 32, CU_AD_FORMAT_SIGNED_INT32},
                                             {cudaChannelFormatKindFloat, 16, CU_AD_FORMAT_HALF},
                                             {cudaChannelFormatKindFloat, 32, CU_AD_FORMAT_FLOAT}};

CUresult format_of(const cudaChannelFormatDesc& given, CUarray_format& format, unsigned int& parts) {
  const int bits[] = {given.x, given.y, given.z, given.w};
  parts = 0;
  while (parts < 4 && bits[parts] != 0) ++parts;
  for (unsigned int part = 0; part < 4; ++part) {
    if (bits[part] != (part < parts ? given.x : 0))
      return static_cast<CUresult>(cudaErrorInvalidChannelDescriptor);
  }
  for (const ElementFormat& row : kElementFormats) {
    if (row.kind != given.f || row.bits != given.x) continue;
    format = row.format;
    return CUDA_SUCCESS;
  }
  return static_cast<CUresult>(cudaErrorInvalidChannelDescriptor);
}

cudaChannelFormatDesc description_of(CUarray_format format, unsigned int parts) {
  for (const auto& [kind, bits, known] : kElementFormats) {
    if (known == format)
      return {.x = bits,
              .y = parts > 1 ? bits : 0,
              .z = parts > 2 ? bits : 0,
              .w = parts > 3 ? bits : 0,
              .f = kind};
  }
  return {.x = 0, .y = 0, .z = 0, .w = 0, .f = cudaChannelFormatKindNone};
}

CUresult make_array(cudaArray_t* array, const cudaChannelFormatDesc* element, cudaExtent extent,
                    unsigned int flags) {
  if (array == nullptr || element == nullptr) return CUDA_ERROR_INVALID_VALUE;
  CUDA_ARRAY3D_DESCRIPTOR description = {};
  if (const CUresult error = format_of(*element, description.Format, description.NumChannels)) return error;
  description.Width = extent.width;
  description.Height = extent.height;
  description.Depth = extent.depth;
  description.Flags = flags;
  return cuArray3DCreate(reinterpret_cast<CUarray*>(array), &description);
}

}  // namespace

CUresult cudart::element_size(cudaArray_const_t array, std::size_t& size) {
  CUDA_ARRAY3D_DESCRIPTOR description = {};
  if (const CUresult error = cuArray3DGetDescriptor(&description, as_array(array))) return error;
  const int bits = description_of(description.Format, description.NumChannels).x;
  size = static_cast<std::size_t>(bits) / 8 * description.NumChannels;
  return size == 0 ? CUDA_ERROR_NOT_SUPPORTED : CUDA_SUCCESS;
}

// cudaMallocArray. Errors: InvalidValue, MemoryAllocation.
cudaError_t CUDARTAPI cudaMallocArray(cudaArray_t* array, const cudaChannelFormatDesc* element, size_t width,
                                      size_t height, unsigned int flags) {
  return with_context(
      [&] { return make_array(array, element, {.width = width, .height = height, .depth = 0}, flags); });
}

// cudaMalloc3DArray. Errors: InvalidValue, MemoryAllocation.
cudaError_t CUDARTAPI cudaMalloc3DArray(cudaArray_t* array, const cudaChannelFormatDesc* element,
                                        cudaExtent extent, unsigned int flags) {
  return with_context([&] { return make_array(array, element, extent, flags); });
}

// cudaFreeArray. Errors: InvalidValue. A null array is a success.
cudaError_t CUDARTAPI cudaFreeArray(cudaArray_t array) {
  return with_context([&] { return array == nullptr ? CUDA_SUCCESS : cuArrayDestroy(as_array(array)); });
}

// cudaArrayGetInfo. Errors: InvalidValue. Pointers for results that are not needed may be null.
cudaError_t CUDARTAPI cudaArrayGetInfo(cudaChannelFormatDesc* element, cudaExtent* extent,
                                       unsigned int* flags, cudaArray_t array) {
  return with_context([&] {
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    if (const CUresult error = cuArray3DGetDescriptor(&description, as_array(array))) return error;
    if (element != nullptr) *element = description_of(description.Format, description.NumChannels);
    if (extent != nullptr)
      *extent = {.width = description.Width, .height = description.Height, .depth = description.Depth};
    if (flags != nullptr) *flags = description.Flags;
    return CUDA_SUCCESS;
  });
}

// cudaGetChannelDesc. Errors: InvalidValue.
cudaError_t CUDARTAPI cudaGetChannelDesc(cudaChannelFormatDesc* element, cudaArray_const_t array) {
  return with_context([&] {
    if (element == nullptr) return CUDA_ERROR_INVALID_VALUE;
    CUDA_ARRAY3D_DESCRIPTOR description = {};
    if (const CUresult error = cuArray3DGetDescriptor(&description, as_array(array))) return error;
    *element = description_of(description.Format, description.NumChannels);
    return CUDA_SUCCESS;
  });
}

// SPDX-License-Identifier: MIT
// Entry points of the manual's chapter "Tensor Map Object Management".
//
// A tensor map is 128 bytes that only a device's copy engine reads, for tensors in global memory. No kernel
// here can read one, so what stands in it is this driver's own: the address, by which
// cuTensorMapReplaceAddress finds its place, and what else was passed. The checks are those of an
// H200, to which the packed types and the swizzles of newer devices are invalid (truth tensor_map_tiled).
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

#include "core/call.hpp"

using namespace driver;

namespace {

constexpr std::uint64_t kMostSharedBytes = 227 << 10;  // where a box is copied to
constexpr std::uint64_t kMadeHere = 0x746d617000000001;

struct Content {
  std::uint64_t mark = kMadeHere;
  std::uint64_t address = 0;
  std::uint32_t type = 0, rank = 0, interleave = 0, swizzle = 0, promotion = 0, fill = 0;
  std::array<std::uint32_t, 5> dimensions = {}, boxes = {};
  std::array<std::uint8_t, 5> element_strides = {};
  std::uint8_t form = 0;
};
static_assert(sizeof(Content) <= sizeof(CUtensorMap));

// What all three forms are given.
struct Tensor {
  CUtensorMap* map;
  CUtensorMapDataType type;
  cuuint32_t rank;
  void* address;
  const cuuint64_t* dimensions;
  const cuuint64_t* strides;
  const cuuint32_t* element_strides;
  CUtensorMapInterleave interleave;
  CUtensorMapSwizzle swizzle;
  CUtensorMapL2promotion promotion;
  CUtensorMapFloatOOBfill fill;
};

// Bits of an element in memory.
unsigned bits_of(CUtensorMapDataType type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 8;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 16;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 64;
    default:
      return 32;
  }
}

bool is_real(CUtensorMapDataType type) {
  return (type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ);
}

template <typename Enumerator>
bool is_beyond(Enumerator value, Enumerator last) {
  return static_cast<unsigned>(value) > static_cast<unsigned>(last);
}

// A box's innermost dimension in bytes may not exceed what is swizzled together.
unsigned most_inner_bytes(CUtensorMapSwizzle swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_NONE:
      return ~0U;
    case CU_TENSOR_MAP_SWIZZLE_32B:
      return 32;
    case CU_TENSOR_MAP_SWIZZLE_64B:
      return 64;
    default:
      return 128;
  }
}

bool good_extents(const Tensor& tensor) {
  const std::uint64_t unit = tensor.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
  for (cuuint32_t i = 0; i < tensor.rank; ++i) {
    if (tensor.dimensions[i] == 0 || tensor.dimensions[i] > (std::uint64_t{1} << 32)) return false;
    if (tensor.element_strides[i] == 0 || tensor.element_strides[i] > 8) return false;
  }
  for (cuuint32_t i = 0; i + 1 < tensor.rank; ++i) {
    if (tensor.strides[i] % unit != 0 || tensor.strides[i] >= (std::uint64_t{1} << 40)) return false;
  }
  return true;
}

// `inner`: elements of the innermost dimension of what one copy takes.
bool good_tensor(const Tensor& tensor, cuuint32_t least_rank, cuuint32_t inner) {
  if (tensor.map == nullptr) return false;
  if (is_beyond(tensor.type, CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ) ||
      is_beyond(tensor.interleave, CU_TENSOR_MAP_INTERLEAVE_32B) ||
      is_beyond(tensor.swizzle, CU_TENSOR_MAP_SWIZZLE_128B) ||
      is_beyond(tensor.promotion, CU_TENSOR_MAP_L2_PROMOTION_L2_256B) ||
      is_beyond(tensor.fill, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA))
    return false;
  const bool interleaved = tensor.interleave != CU_TENSOR_MAP_INTERLEAVE_NONE;
  if (tensor.rank < std::max(least_rank, interleaved ? 3U : 1U) || tensor.rank > 5) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.address);
  if (address % (tensor.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16) != 0) return false;
  if (tensor.dimensions == nullptr || tensor.element_strides == nullptr || tensor.strides == nullptr)
    return false;
  if (!good_extents(tensor)) return false;
  if (tensor.fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE && !is_real(tensor.type)) return false;
  const std::uint64_t inner_bytes = std::uint64_t{inner} * bits_of(tensor.type) / 8;
  return interleaved || (inner_bytes % 16 == 0 && inner_bytes <= most_inner_bytes(tensor.swizzle));
}

void write_map(const Tensor& tensor, std::uint8_t form, const std::array<std::uint32_t, 5>& boxes) {
  Content content;
  content.address = reinterpret_cast<std::uintptr_t>(tensor.address);
  content.type = tensor.type;
  content.rank = tensor.rank;
  content.interleave = tensor.interleave;
  content.swizzle = tensor.swizzle;
  content.promotion = tensor.promotion;
  content.fill = tensor.fill;
  content.form = form;
  content.boxes = boxes;
  for (cuuint32_t i = 0; i < tensor.rank; ++i) {
    content.dimensions[i] = static_cast<std::uint32_t>(tensor.dimensions[i] - 1);
    content.element_strides[i] = static_cast<std::uint8_t>(tensor.element_strides[i]);
  }
  std::memset(tensor.map, 0, sizeof *tensor.map);
  std::memcpy(tensor.map, &content, sizeof content);
}

// The corners of an im2col box have 16 bits in all for each.
bool good_corner(int corner, cuuint32_t rank) {
  const int limit = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
  return corner >= -limit && corner < limit;
}

}  // namespace

// cuTensorMapEncodeTiled. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                        void* address, const cuuint64_t* dimensions,
                                        const cuuint64_t* strides, const cuuint32_t* box,
                                        const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                        CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                        CUtensorMapFloatOOBfill fill) {
  const Reading call;
  if (call.error) return call.error;
  const Tensor tensor{map,        type,    rank,      address, dimensions, strides, element_strides,
                      interleave, swizzle, promotion, fill};
  if (box == nullptr || !good_tensor(tensor, 1, box[0])) return CUDA_ERROR_INVALID_VALUE;
  std::array<std::uint32_t, 5> boxes = {};
  for (cuuint32_t i = 0; i < rank; ++i) {
    if (box[i] == 0 || box[i] > 256) return CUDA_ERROR_INVALID_VALUE;
    boxes.at(i) = box[i];
  }
  std::uint64_t bytes = bits_of(type) / 8;
  for (cuuint32_t i = 0; i < rank; ++i) bytes *= box[i];
  if (bytes > kMostSharedBytes) return CUDA_ERROR_INVALID_VALUE;
  write_map(tensor, 1, boxes);
  return CUDA_SUCCESS;
}

// cuTensorMapEncodeIm2col. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTensorMapEncodeIm2col(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                         void* address, const cuuint64_t* dimensions,
                                         const cuuint64_t* strides, const int* lower, const int* upper,
                                         cuuint32_t channels, cuuint32_t pixels,
                                         const cuuint32_t* element_strides, CUtensorMapInterleave interleave,
                                         CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                         CUtensorMapFloatOOBfill fill) {
  const Reading call;
  if (call.error) return call.error;
  const Tensor tensor{map,        type,    rank,      address, dimensions, strides, element_strides,
                      interleave, swizzle, promotion, fill};
  if (lower == nullptr || upper == nullptr || !good_tensor(tensor, 3, channels))
    return CUDA_ERROR_INVALID_VALUE;
  if (channels == 0 || channels > 256 || pixels == 0 || pixels > 1024) return CUDA_ERROR_INVALID_VALUE;
  for (cuuint32_t i = 0; i + 2 < rank; ++i) {
    if (!good_corner(lower[i], rank) || !good_corner(upper[i], rank)) return CUDA_ERROR_INVALID_VALUE;
  }
  write_map(tensor, 2, {channels, pixels});
  return CUDA_SUCCESS;
}

// cuTensorMapEncodeIm2colWide. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE;
// NOT_SUPPORTED, since the devices here are of compute capability 9.0 and the wide form begins with 10.0.
CUresult CUDAAPI cuTensorMapEncodeIm2colWide(CUtensorMap* map, CUtensorMapDataType, cuuint32_t, void*,
                                             const cuuint64_t*, const cuuint64_t*, int, int, cuuint32_t,
                                             cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                             CUtensorMapIm2ColWideMode, CUtensorMapSwizzle,
                                             CUtensorMapL2promotion, CUtensorMapFloatOOBfill) {
  const Reading call;
  if (call.error) return call.error;
  return map == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
}

// cuTensorMapReplaceAddress. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTensorMapReplaceAddress(CUtensorMap* map, void* address) {
  const Reading call;
  if (call.error) return call.error;
  if (map == nullptr) return CUDA_ERROR_INVALID_VALUE;
  Content content;
  std::memcpy(static_cast<void*>(&content), map, sizeof content);
  const auto number = reinterpret_cast<std::uintptr_t>(address);
  const std::uint64_t unit = content.interleave == CU_TENSOR_MAP_INTERLEAVE_32B ? 32 : 16;
  if (number == 0 || number % unit != 0) return CUDA_ERROR_INVALID_VALUE;
  content.address = number;
  std::memcpy(map, &content, sizeof content);
  return CUDA_SUCCESS;
}

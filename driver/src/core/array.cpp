// SPDX-License-Identifier: MIT
// See array.hpp: which descriptions are arrays that can be made, and where their bytes are.
#include "core/array.hpp"

#include <algorithm>
#include <bit>
#include <mutex>
#include <set>

#include "core/driver.hpp"

namespace driver {
namespace {

// Leaked, so that a thread in a call at the end of the process finds it.
struct Alive {
  std::mutex lock;
  std::set<const Array*> arrays;
  std::set<const MipmappedArray*> mipmapped;
  std::set<const MipmappedArray*> gone_with_context;
};
Alive& alive() {
  static auto* const only = new Alive;
  return *only;
}

constexpr unsigned kNownFlags = CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_SURFACE_LDST | CUDA_ARRAY3D_CUBEMAP |
                                CUDA_ARRAY3D_TEXTURE_GATHER | CUDA_ARRAY3D_DEPTH_TEXTURE |
                                CUDA_ARRAY3D_COLOR_ATTACHMENT | CUDA_ARRAY3D_SPARSE |
                                CUDA_ARRAY3D_DEFERRED_MAPPING | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;
constexpr unsigned kUnsupportedFlags =
    CUDA_ARRAY3D_SPARSE | CUDA_ARRAY3D_DEFERRED_MAPPING | CUDA_ARRAY3D_VIDEO_ENCODE_DECODE;

// Bytes of one channel, and how many channels the format itself prescribes (0: any). No bytes: not a format
// of single elements.
struct Format {
  unsigned bytes = 0;
  unsigned channels = 0;
};

Format format_of(CUarray_format format) {
  switch (static_cast<int>(format)) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return {1, 0};
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return {2, 0};
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return {4, 0};
    case CU_AD_FORMAT_UNORM_INT8X1:
    case CU_AD_FORMAT_SNORM_INT8X1:
      return {1, 1};
    case CU_AD_FORMAT_UNORM_INT8X2:
    case CU_AD_FORMAT_SNORM_INT8X2:
      return {1, 2};
    case CU_AD_FORMAT_UNORM_INT8X4:
    case CU_AD_FORMAT_SNORM_INT8X4:
      return {1, 4};
    case CU_AD_FORMAT_UNORM_INT16X1:
    case CU_AD_FORMAT_SNORM_INT16X1:
      return {2, 1};
    case CU_AD_FORMAT_UNORM_INT16X2:
    case CU_AD_FORMAT_SNORM_INT16X2:
      return {2, 2};
    case CU_AD_FORMAT_UNORM_INT16X4:
    case CU_AD_FORMAT_SNORM_INT16X4:
      return {2, 4};
    default:
      return {};
  }
}

// Blocks of compressed pixels and pictures of several planes.
bool is_format_of_blocks(CUarray_format format) {
  const int number = format;
  return (number >= CU_AD_FORMAT_BC1_UNORM && number <= CU_AD_FORMAT_YUV444_16bit_SemiPlanar) ||
         number == CU_AD_FORMAT_UNORM_INT_101010_2;
}

bool is_format_of_planes(CUarray_format format) {
  const int number = format;
  return (number >= CU_AD_FORMAT_P010 && number <= CU_AD_FORMAT_P216) || number == CU_AD_FORMAT_NV12 ||
         (number >= CU_AD_FORMAT_Y444_PLANAR8 && number <= CU_AD_FORMAT_YUV444_16bit_SemiPlanar);
}

// Which of the dimensions an array may leave out, and how large each may be on this device. The figures are
// those that a program can ask for.
bool possible(const CUDA_ARRAY3D_DESCRIPTOR& wanted, const Device& device) {
  const auto fits = [&](CUdevice_attribute width, CUdevice_attribute height, CUdevice_attribute depth) {
    const auto most = [&](CUdevice_attribute attribute) {
      return static_cast<std::size_t>(std::max(0, device.attribute(attribute).value_or(0)));
    };
    return wanted.Width <= most(width) && wanted.Height <= most(height) && wanted.Depth <= most(depth);
  };
  const bool layered = (wanted.Flags & CUDA_ARRAY3D_LAYERED) != 0;
  const bool gathered = (wanted.Flags & CUDA_ARRAY3D_TEXTURE_GATHER) != 0;
  if (wanted.Width == 0) return false;
  if ((wanted.Flags & CUDA_ARRAY3D_CUBEMAP) != 0) {
    if (wanted.Width != wanted.Height || gathered) return false;
    if (layered ? wanted.Depth == 0 || wanted.Depth % 6 != 0 : wanted.Depth != 6) return false;
    return fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURECUBEMAP_LAYERED_LAYERS);
  }
  constexpr auto kNone = CUdevice_attribute{};  // no such figure, so its dimension has to be 0
  if (layered) {
    if (wanted.Depth == 0 || gathered) return false;
    if (wanted.Height == 0)
      return fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_WIDTH, kNone,
                  CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LAYERED_LAYERS);
    return fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS);
  }
  if (wanted.Depth != 0) {
    if (wanted.Height == 0 || gathered) return false;
    // Deep or wide: one of two boxes.
    return fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH) ||
           fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_WIDTH_ALTERNATE,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_HEIGHT_ALTERNATE,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE3D_DEPTH_ALTERNATE);
  }
  if (wanted.Height == 0) return !gathered && fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_WIDTH, kNone, kNone);
  if (gathered)
    return fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_WIDTH,
                CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_GATHER_HEIGHT, kNone);
  return fits(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_WIDTH, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_HEIGHT,
              kNone);
}

}  // namespace

CUresult Array::create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& description,
                       std::unique_ptr<Array>& array) {
  if ((description.Flags & ~kNownFlags) != 0 || !possible(description, context.device()))
    return CUDA_ERROR_INVALID_VALUE;
  // Measured: truth planes, steps 5 to 13.
  if (is_format_of_planes(description.Format) && description.NumChannels >= 1 && description.NumChannels <= 3)
    return CUDA_ERROR_INVALID_VALUE;
  if (is_format_of_blocks(description.Format) || (description.Flags & kUnsupportedFlags) != 0)
    return CUDA_ERROR_NOT_SUPPORTED;
  const Format format = format_of(description.Format);
  const unsigned channels = description.NumChannels;
  if (format.bytes == 0 || (channels != 1 && channels != 2 && channels != 4)) return CUDA_ERROR_INVALID_VALUE;
  if (format.channels != 0 && format.channels != channels) return CUDA_ERROR_INVALID_VALUE;
  std::unique_ptr<Array> made(new Array(context, description, std::uint64_t{format.bytes} * channels));
  // The largest that is possible has no more than 2^45 elements of 16 bytes: no product can overflow.
  const std::uint64_t bytes = made->width() * made->height() * made->depth();
  Memory& memory = Driver::get().memory();
  CUdeviceptr address = 0;
  if (const CUresult error = memory.allocate_device(context, bytes, address)) return error;
  made->memory_ = memory.detach(address);
  const std::lock_guard lock(alive().lock);
  alive().arrays.insert(made.get());
  array = std::move(made);
  return CUDA_SUCCESS;
}

Array::~Array() {
  {
    const std::lock_guard lock(alive().lock);
    alive().arrays.erase(this);
  }
  if (memory_.base != 0) Driver::get().memory().drop(memory_);
}

Array* Array::find(CUarray handle) {
  auto* const array = reinterpret_cast<Array*>(handle);
  const std::lock_guard lock(alive().lock);
  return alive().arrays.contains(array) ? array : nullptr;
}

CUresult MipmappedArray::create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& description, unsigned levels,
                                std::unique_ptr<MipmappedArray>& made) {
  // Measured: no mipmapped array takes them (truth mipmapped_levels).
  if ((description.Flags & (CUDA_ARRAY3D_DEPTH_TEXTURE | CUDA_ARRAY3D_COLOR_ATTACHMENT)) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  const auto figure = [&](CUdevice_attribute which) {
    return static_cast<std::size_t>(std::max(0, context.device().attribute(which).value_or(0)));
  };
  const bool is_plane = description.Height != 0 && description.Depth == 0;
  if (is_plane && (description.Width > figure(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_WIDTH) ||
                   description.Height > figure(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_MIPMAPPED_HEIGHT)))
    return CUDA_ERROR_INVALID_VALUE;
  std::unique_ptr<MipmappedArray> result(new MipmappedArray(context));
  const bool layered = (description.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  const std::size_t largest =
      std::max({description.Width, description.Height, layered ? std::size_t{0} : description.Depth});
  const auto most = static_cast<unsigned>(std::bit_width(largest));
  CUDA_ARRAY3D_DESCRIPTOR level = description;
  const auto halve = [](std::size_t& extent) { extent = extent > 1 ? extent / 2 : extent; };
  for (unsigned i = 0; i < std::clamp(levels, 1U, std::max(1U, most)); ++i) {
    std::unique_ptr<Array> array;
    if (const CUresult error = Array::create(context, level, array)) return error;
    array->is_level_ = true;
    result->levels_.push_back(std::move(array));
    halve(level.Width);
    halve(level.Height);
    if (!layered) halve(level.Depth);
  }
  const std::lock_guard lock(alive().lock);
  alive().mipmapped.insert(result.get());
  alive().gone_with_context.erase(result.get());
  made = std::move(result);
  return CUDA_SUCCESS;
}

MipmappedArray::~MipmappedArray() {
  const std::lock_guard lock(alive().lock);
  auto entry = alive().mipmapped.extract(this);
  if (!context_.alive()) alive().gone_with_context.insert(std::move(entry));
}

CUresult MipmappedArray::none(CUmipmappedArray handle) {
  const std::lock_guard lock(alive().lock);
  const bool gone = alive().gone_with_context.contains(reinterpret_cast<MipmappedArray*>(handle));
  return gone ? CUDA_ERROR_CONTEXT_IS_DESTROYED : CUDA_ERROR_INVALID_HANDLE;
}

MipmappedArray* MipmappedArray::find(CUmipmappedArray handle) {
  auto* const array = reinterpret_cast<MipmappedArray*>(handle);
  const std::lock_guard lock(alive().lock);
  return alive().mipmapped.contains(array) ? array : nullptr;
}

}  // namespace driver

// SPDX-License-Identifier: MIT
// See texture.hpp: which descriptions are textures, and what kernels see of them.
#include "core/texture.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <mutex>

#include "core/array.hpp"
#include "core/driver.hpp"

namespace driver {
namespace {

// Leaked, so that a thread in a call at the end of the process finds it.
struct AliveTextures {
  std::mutex lock;
  std::map<unsigned long long, TextureObject*> objects;
};
AliveTextures& alive_textures() {
  static auto* const only = new AliveTextures;
  return *only;
}

std::uint64_t attribute(const Context& context, CUdevice_attribute which) {
  return static_cast<std::uint64_t>(std::max(0, context.device().attribute(which).value_or(0)));
}

// 0 for a format that no texture has.
unsigned bytes_of_channel(CUarray_format format) {
  switch (static_cast<int>(format)) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
    case CU_AD_FORMAT_HALF:
      return 2;
    case CU_AD_FORMAT_UNSIGNED_INT32:
    case CU_AD_FORMAT_SIGNED_INT32:
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

unsigned bytes_of_element(CUarray_format format, unsigned channels) {
  return channels == 1 || channels == 2 || channels == 4 ? channels * bytes_of_channel(format) : 0;
}

void add_level(ptx::Texture& record, const Array& array) {
  const CUDA_ARRAY3D_DESCRIPTOR& description = array.description();
  record.format = description.Format;
  record.channels = description.NumChannels;
  record.levels[record.level_count++] = {.address = array.address(),
                                         .row = array.width(),
                                         .slice = array.width() * array.height(),
                                         .width = static_cast<std::uint32_t>(description.Width),
                                         .height = static_cast<std::uint32_t>(array.height()),
                                         .depth = static_cast<std::uint32_t>(array.depth())};
}

CUresult of_array(const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  if (resource.res.array.hArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const Array* const array = Array::find(resource.res.array.hArray);
  if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  add_level(record, *array);
  return CUDA_SUCCESS;
}

CUresult of_mipmapped(const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  if (resource.res.mipmap.hMipmappedArray == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const MipmappedArray* const array = MipmappedArray::find(resource.res.mipmap.hMipmappedArray);
  if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  for (const auto& level : array->levels()) add_level(record, *level);
  return CUDA_SUCCESS;
}

// A texture of addresses is not looked up: kernels that read where nothing is fail.
CUresult of_linear(const Context& context, const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  const auto& linear = resource.res.linear;
  const unsigned element = bytes_of_element(linear.format, linear.numChannels);
  if (element == 0 || linear.devPtr == 0) return CUDA_ERROR_INVALID_VALUE;
  if (linear.devPtr % attribute(context, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  const std::uint64_t width = linear.sizeInBytes / element;
  if (width == 0 || width > attribute(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH))
    return CUDA_ERROR_INVALID_VALUE;
  record.linear_memory = 1;
  record.format = linear.format;
  record.channels = linear.numChannels;
  record.levels[record.level_count++] = {
      .address = linear.devPtr, .width = static_cast<std::uint32_t>(width), .height = 1, .depth = 1};
  return CUDA_SUCCESS;
}

CUresult of_pitch(const Context& context, const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  const auto& pitch = resource.res.pitch2D;
  const unsigned element = bytes_of_element(pitch.format, pitch.numChannels);
  const auto none_or_more = [](std::uint64_t value, std::uint64_t most) {
    return value == 0 || value > most;
  };
  if (element == 0 || pitch.devPtr == 0 ||
      none_or_more(pitch.width, attribute(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH)) ||
      none_or_more(pitch.height, attribute(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT)) ||
      none_or_more(pitch.pitchInBytes,
                   attribute(context, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH)))
    return CUDA_ERROR_INVALID_VALUE;
  if (pitch.devPtr % attribute(context, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) != 0 ||
      pitch.pitchInBytes % attribute(context, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT) != 0 ||
      pitch.pitchInBytes < pitch.width * element)
    return CUDA_ERROR_INVALID_VALUE;
  record.format = pitch.format;
  record.channels = pitch.numChannels;
  record.levels[record.level_count++] = {.address = pitch.devPtr,
                                         .row = pitch.pitchInBytes,
                                         .width = static_cast<std::uint32_t>(pitch.width),
                                         .height = static_cast<std::uint32_t>(pitch.height),
                                         .depth = 1};
  return CUDA_SUCCESS;
}

CUresult of_resource(const Context& context, const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  record.level_count = 0;
  if (resource.flags != 0) return CUDA_ERROR_INVALID_VALUE;
  switch (resource.resType) {
    case CU_RESOURCE_TYPE_ARRAY:
      return of_array(resource, record);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      return of_mipmapped(resource, record);
    case CU_RESOURCE_TYPE_LINEAR:
      return of_linear(context, resource, record);
    case CU_RESOURCE_TYPE_PITCH2D:
      return of_pitch(context, resource, record);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// How it is sampled. Of linear memory the manual says that modes and filters are ignored.
CUresult sample_as(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& texture,
                   ptx::Texture& record) {
  constexpr unsigned known = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES | CU_TRSF_SRGB |
                             CU_TRSF_DISABLE_TRILINEAR_OPTIMIZATION | CU_TRSF_SEAMLESS_CUBEMAP;
  if ((texture.flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  const auto is_filter = [](CUfilter_mode mode) {
    return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR;
  };
  if (!is_filter(texture.filterMode) || !is_filter(texture.mipmapFilterMode)) return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < record.address_mode.size(); ++i) {
    const auto mode = static_cast<unsigned>(texture.addressMode[i]);
    if (mode > CU_TR_ADDRESS_MODE_BORDER) return CUDA_ERROR_INVALID_VALUE;
    record.address_mode[i] = mode;
  }
  const bool normalized = (texture.flags & CU_TRSF_NORMALIZED_COORDINATES) != 0;
  if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY && !normalized) return CUDA_ERROR_INVALID_VALUE;
  const bool real = record.format == CU_AD_FORMAT_FLOAT || record.format == CU_AD_FORMAT_HALF;
  const bool small = bytes_of_channel(static_cast<CUarray_format>(record.format)) < 4;
  const bool integer = !real && (!small || (texture.flags & CU_TRSF_READ_AS_INTEGER) != 0);
  const bool filters = texture.filterMode == CU_TR_FILTER_MODE_LINEAR;
  if (filters && integer && record.linear_memory == 0) return CUDA_ERROR_INVALID_VALUE;
  record.flags = texture.flags;
  record.linear_filter = filters && record.linear_memory == 0 ? 1 : 0;
  record.linear_between_levels = texture.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR ? 1 : 0;
  record.bias = texture.mipmapLevelBias;
  record.least_level = texture.minMipmapLevelClamp;
  record.most_level = texture.maxMipmapLevelClamp;
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), record.border_color.begin());
  return CUDA_SUCCESS;
}

// A view has the resource's extent and names some of its levels and layers.
CUresult view_as(const CUDA_RESOURCE_DESC& resource, const CUDA_RESOURCE_VIEW_DESC& view,
                 ptx::Texture& record) {
  if (resource.resType != CU_RESOURCE_TYPE_ARRAY && resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    return CUDA_ERROR_INVALID_VALUE;
  if (view.format > CU_RES_VIEW_FORMAT_UNSIGNED_BC7) return CUDA_ERROR_INVALID_VALUE;
  if (view.lastMipmapLevel < view.firstMipmapLevel || view.lastMipmapLevel >= record.level_count ||
      view.lastLayer < view.firstLayer || view.lastLayer >= record.levels[0].depth)
    return CUDA_ERROR_INVALID_VALUE;
  const unsigned first = view.firstMipmapLevel;
  if (view.width != record.levels[first].width) return CUDA_ERROR_INVALID_VALUE;
  record.level_count = view.lastMipmapLevel - first + 1;
  std::copy_n(record.levels.begin() + first, record.level_count, record.levels.begin());
  if (view.lastLayer != 0) {
    for (unsigned i = 0; i < record.level_count; ++i) {
      record.levels[i].address += view.firstLayer * record.levels[i].slice;
      record.levels[i].depth = view.lastLayer - view.firstLayer + 1;
    }
  }
  return CUDA_SUCCESS;
}

}  // namespace

CUresult TextureObject::create_texture(Context& context, const CUDA_RESOURCE_DESC& resource,
                                       const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view,
                                       std::unique_ptr<TextureObject>& made) {
  ptx::Texture record;
  if (const CUresult error = of_resource(context, resource, record)) return error;
  if (const CUresult error = sample_as(resource, texture, record)) return error;
  if (view != nullptr) {
    if (const CUresult error = view_as(resource, *view, record)) return error;
  }
  std::unique_ptr<TextureObject> result(new TextureObject(context, resource));
  result->texture_ = texture;
  if (view != nullptr) result->view_ = *view;
  if (const CUresult error = result->publish(record)) return error;
  made = std::move(result);
  return CUDA_SUCCESS;
}

CUresult TextureObject::create_surface(Context& context, const CUDA_RESOURCE_DESC& resource,
                                       std::unique_ptr<TextureObject>& made) {
  if (resource.resType != CU_RESOURCE_TYPE_ARRAY) return CUDA_ERROR_INVALID_VALUE;
  ptx::Texture record;
  if (const CUresult error = of_resource(context, resource, record)) return error;
  const Array* const array = Array::find(resource.res.array.hArray);
  if ((array->description().Flags & CUDA_ARRAY3D_SURFACE_LDST) == 0) return CUDA_ERROR_INVALID_VALUE;
  record.surface = 1;
  std::unique_ptr<TextureObject> result(new TextureObject(context, resource));
  result->surface_ = true;
  if (const CUresult error = result->publish(record)) return error;
  made = std::move(result);
  return CUDA_SUCCESS;
}

// Writes the record to device memory and makes the handle known.
CUresult TextureObject::publish(ptx::Texture record) {
  Memory& memory = Driver::get().memory();
  CUdeviceptr address = 0;
  if (const CUresult error = memory.allocate_device(context_, sizeof record, address)) return error;
  memory_ = memory.detach(address);
  record.self = address ^ ptx::Texture::mark;
  std::memcpy(memory_.view, &record, sizeof record);
  const std::lock_guard lock(alive_textures().lock);
  alive_textures().objects.emplace(address, this);
  return CUDA_SUCCESS;
}

TextureObject::~TextureObject() {
  if (memory_.base == 0) return;
  {
    const std::lock_guard lock(alive_textures().lock);
    alive_textures().objects.erase(memory_.base);
  }
  std::memset(memory_.view, 0, sizeof(ptx::Texture));
  Driver::get().memory().drop(memory_);
}

TextureObject* TextureObject::find(unsigned long long handle, bool surface) {
  const std::lock_guard lock(alive_textures().lock);
  const auto found = alive_textures().objects.find(handle);
  return found != alive_textures().objects.end() && found->second->surface_ == surface ? found->second
                                                                                       : nullptr;
}

}  // namespace driver

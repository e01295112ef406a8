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
  record.has_depth = description.Depth != 0 ? 1 : 0;
  record.levels[record.level_count++] = {.address = array.address(),
                                         .row = array.width(),
                                         .slice = array.width() * array.height(),
                                         .width = static_cast<std::uint32_t>(description.Width),
                                         .height = static_cast<std::uint32_t>(array.height()),
                                         .depth = static_cast<std::uint32_t>(array.depth())};
}

CUresult of_array(const Context& context, const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  const Array* const array = Array::find(resource.res.array.hArray);
  if (array == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (&array->context() != &context) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  add_level(record, *array);
  return CUDA_SUCCESS;
}

CUresult of_mipmapped(const Context& context, const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  const MipmappedArray* const array = MipmappedArray::find(resource.res.mipmap.hMipmappedArray);
  if (array == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (&array->context() != &context) return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  for (const auto& level : array->levels()) add_level(record, *level);
  return CUDA_SUCCESS;
}

// Measured: neither the address nor the number of bytes is looked at (truth texture_linear).
CUresult of_linear(const Context& context, const CUDA_RESOURCE_DESC& resource, ptx::Texture& record) {
  const auto& linear = resource.res.linear;
  const unsigned element = bytes_of_element(linear.format, linear.numChannels);
  if (element == 0 || linear.devPtr == 0) return CUDA_ERROR_INVALID_VALUE;
  if (linear.devPtr % attribute(context, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) != 0)
    return CUDA_ERROR_INVALID_VALUE;
  const std::uint64_t width = linear.sizeInBytes / element;
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
  const auto limit = [&](CUdevice_attribute which) { return attribute(context, which); };
  if (element == 0 || pitch.devPtr == 0 ||
      pitch.width > limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_WIDTH) ||
      pitch.height > limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_HEIGHT) ||
      pitch.pitchInBytes > limit(CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LINEAR_PITCH) ||
      pitch.devPtr % limit(CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) != 0 ||
      pitch.pitchInBytes % limit(CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT) != 0)
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
      return of_array(context, resource, record);
    case CU_RESOURCE_TYPE_MIPMAPPED_ARRAY:
      return of_mipmapped(context, resource, record);
    case CU_RESOURCE_TYPE_LINEAR:
      return of_linear(context, resource, record);
    case CU_RESOURCE_TYPE_PITCH2D:
      return of_pitch(context, resource, record);
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}

// Axes whose address mode is looked at.
std::size_t axes_of(const CUDA_RESOURCE_DESC& resource, const ptx::Texture& record) {
  if (resource.resType == CU_RESOURCE_TYPE_LINEAR) return 1;
  return record.levels[0].depth > 1 ? 3 : record.levels[0].height > 1 ? 2 : 1;
}

bool is_cube(const CUDA_RESOURCE_DESC& resource) {
  const Array* array = nullptr;
  if (resource.resType == CU_RESOURCE_TYPE_ARRAY) array = Array::find(resource.res.array.hArray);
  if (resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
    array = MipmappedArray::find(resource.res.mipmap.hMipmappedArray)->levels()[0].get();
  return array != nullptr && (array->description().Flags & CUDA_ARRAY3D_CUBEMAP) != 0;
}

// How it is sampled. Measured: unlike the manual says, a linear filter of integers is no error, nor are
// coordinates of a mipmapped array that are not normalized (truth texture_fields, texture_mipmapped).
CUresult sample_as(const CUDA_RESOURCE_DESC& resource, const CUDA_TEXTURE_DESC& texture,
                   ptx::Texture& record) {
  unsigned known = 0x3f;  // two of them have no name in cuda.h
  if (is_cube(resource)) known |= CU_TRSF_SEAMLESS_CUBEMAP;
  if ((texture.flags & ~known) != 0) return CUDA_ERROR_INVALID_VALUE;
  const auto is_filter = [](CUfilter_mode mode) {
    return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR;
  };
  if (!is_filter(texture.filterMode) || !is_filter(texture.mipmapFilterMode)) return CUDA_ERROR_INVALID_VALUE;
  if (std::any_of(std::begin(texture.reserved), std::end(texture.reserved),
                  [](int word) { return word != 0; }))
    return CUDA_ERROR_INVALID_VALUE;
  for (std::size_t i = 0; i < axes_of(resource, record); ++i) {
    const auto mode = static_cast<unsigned>(texture.addressMode[i]);
    if (mode > CU_TR_ADDRESS_MODE_BORDER) return CUDA_ERROR_INVALID_VALUE;
  }
  std::copy(std::begin(texture.addressMode), std::end(texture.addressMode), record.address_mode.begin());
  record.flags = texture.flags;
  record.linear_filter = texture.filterMode == CU_TR_FILTER_MODE_LINEAR && record.linear_memory == 0 ? 1 : 0;
  record.linear_between_levels = texture.mipmapFilterMode == CU_TR_FILTER_MODE_LINEAR ? 1 : 0;
  record.bias = texture.mipmapLevelBias;
  record.least_level = texture.minMipmapLevelClamp;
  record.most_level = texture.maxMipmapLevelClamp;
  std::copy(std::begin(texture.borderColor), std::end(texture.borderColor), record.border_color.begin());
  return CUDA_SUCCESS;
}

// Bytes of an element in a view's format; 0 for blocks and for none.
unsigned bytes_of_view(CUresourceViewFormat format) {
  const unsigned number = format;
  if (number == 0 || number > CU_RES_VIEW_FORMAT_FLOAT_4X32) return 0;
  static constexpr unsigned kChannel[] = {1, 1, 2, 2, 4, 4, 2, 4};  // of three formats each
  return kChannel[(number - 1) / 3] << ((number - 1) % 3);
}

CUarray_format format_of_view(CUresourceViewFormat format) {
  static constexpr CUarray_format kFormats[] = {CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_SIGNED_INT8,
                                                CU_AD_FORMAT_UNSIGNED_INT16, CU_AD_FORMAT_SIGNED_INT16,
                                                CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT32,
                                                CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
  return kFormats[(static_cast<unsigned>(format) - 1) / 3];
}

// A view has the extent of the whole resource, elements of the same size, and names some of its levels and
// layers; what it names beyond the last does not count. Measured: truth texture_views, where a view of memory
// that is no array is not looked at.
CUresult view_as(const CUDA_RESOURCE_DESC& resource, const CUDA_RESOURCE_VIEW_DESC& view,
                 ptx::Texture& record) {
  const bool mipmapped = resource.resType == CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
  if (!mipmapped && resource.resType != CU_RESOURCE_TYPE_ARRAY) return CUDA_SUCCESS;
  const Array* const array =
      mipmapped ? MipmappedArray::find(resource.res.mipmap.hMipmappedArray)->levels()[0].get()
                : Array::find(resource.res.array.hArray);
  const CUDA_ARRAY3D_DESCRIPTOR& whole = array->description();
  if (bytes_of_view(view.format) != array->element()) return CUDA_ERROR_INVALID_VALUE;
  if (view.width != whole.Width || view.height != whole.Height ||
      view.depth != ((whole.Flags & CUDA_ARRAY3D_CUBEMAP) != 0 ? 0 : whole.Depth))
    return CUDA_ERROR_INVALID_VALUE;
  const bool layered = (whole.Flags & (CUDA_ARRAY3D_LAYERED | CUDA_ARRAY3D_CUBEMAP)) != 0;
  if (view.firstMipmapLevel > view.lastMipmapLevel || view.firstLayer > view.lastLayer ||
      view.firstMipmapLevel >= record.level_count || (!mipmapped && view.lastMipmapLevel != 0) ||
      view.firstLayer >= record.levels[0].depth || (!layered && view.lastLayer != 0))
    return CUDA_ERROR_INVALID_VALUE;
  record.format = format_of_view(view.format);
  record.channels = 1U << ((static_cast<unsigned>(view.format) - 1) % 3);
  record.level_count = std::min(view.lastMipmapLevel, record.level_count - 1) - view.firstMipmapLevel + 1;
  std::copy_n(record.levels.begin() + view.firstMipmapLevel, record.level_count, record.levels.begin());
  for (unsigned i = 0; layered && i < record.level_count; ++i) {
    ptx::TextureLevel& level = record.levels[i];
    level.address += view.firstLayer * level.slice;
    level.depth = std::min(view.lastLayer, level.depth - 1) - view.firstLayer + 1;
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
  // Measured: it is not told (truth texture_fields, step 98).
  std::fill(std::begin(result->texture_.borderColor), std::end(result->texture_.borderColor), 0.0F);
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
  record.self = address ^ ptx::Texture::kMark;
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

TextureObject* TextureObject::find(const Context& context, unsigned long long handle, bool surface) {
  const std::lock_guard lock(alive_textures().lock);
  const auto found = alive_textures().objects.find(handle);
  if (found == alive_textures().objects.end() || found->second->surface_ != surface) return nullptr;
  return &found->second->context() == &context ? found->second : nullptr;
}

}  // namespace driver

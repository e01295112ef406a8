// SPDX-License-Identifier: MIT
// Entry points of the manual's chapters "Texture Reference Management" and "Surface Reference Management",
// both deprecated.
//
// A reference made by cuTexRefCreate keeps what it is told and returns it. One of a module would come from
// .texref or .surfref, which are PTX that this driver does not load, so modules have none. What is checked
// was measured: truth reference_defaults, reference_sets, reference_null.
#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <set>

#include "core/array.hpp"
#include "core/call.hpp"
#include "core/code.hpp"

using namespace driver;

namespace {

struct Reference : OwnedObject {
  explicit Reference(Context& of) : context(of) {
    const std::lock_guard lock(mutex());
    alive().insert(this);
  }
  ~Reference() override {
    const std::lock_guard lock(mutex());
    alive().erase(this);
  }
  Reference(const Reference&) = delete;
  Reference& operator=(const Reference&) = delete;

  // Leaked, so that a thread in a call at the end of the process finds them.
  static std::mutex& mutex() {
    static auto* const only = new std::mutex;
    return *only;
  }
  static std::set<const Reference*>& alive() {
    static auto* const only = new std::set<const Reference*>;
    return *only;
  }
  static Reference* find(CUtexref handle) {
    auto* const reference = reinterpret_cast<Reference*>(handle);
    const std::lock_guard lock(mutex());
    return alive().contains(reference) ? reference : nullptr;
  }

  Context& context;
  // At most one of them.
  CUarray array = nullptr;
  CUmipmappedArray mipmapped = nullptr;
  bool has_address = false;
  CUdeviceptr address = 0;
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  int channels = 1;
  std::array<CUaddress_mode, 3> modes = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP,
                                         CU_TR_ADDRESS_MODE_CLAMP};
  CUfilter_mode filter = CU_TR_FILTER_MODE_POINT;
  CUfilter_mode level_filter = CU_TR_FILTER_MODE_POINT;
  float bias = 0, least_level = 0, most_level = 0;
  int anisotropy = 0;
  unsigned flags = 0;
  std::array<float, 4> border = {};
};

// Calls `change(reference)` with the lock held. No context has to be current (truth reference_no_context).
template <typename Change>
CUresult with(CUtexref handle, Change change) {
  const ChangingAnywhere call;
  if (call.error) return call.error;
  Reference* const reference = Reference::find(handle);
  return reference == nullptr ? CUDA_ERROR_INVALID_HANDLE : change(*reference);
}

template <typename Value, typename Part>
CUresult tell(CUtexref handle, Value* value, Part part) {
  return with(handle, [&](const Reference& reference) {
    if (value == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *value = part(reference);
    return CUDA_SUCCESS;
  });
}

void bind(Reference& reference, CUarray array, CUmipmappedArray mipmapped, bool has_address,
          CUdeviceptr address) {
  reference.array = array;
  reference.mipmapped = mipmapped;
  reference.has_address = has_address;
  reference.address = address;
}

bool is_filter(CUfilter_mode mode) {
  return mode == CU_TR_FILTER_MODE_POINT || mode == CU_TR_FILTER_MODE_LINEAR;
}

std::uint64_t figure(const Reference& reference, CUdevice_attribute which) {
  return static_cast<std::uint64_t>(reference.context.device().attribute(which).value_or(0));
}

// A module has neither textures nor surfaces by name.
CUresult not_of_module(const void* result, CUmodule module, const char* name) {
  const Reading call;
  if (call.error) return call.error;
  if (module == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return result == nullptr || name == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_FOUND;
}

}  // namespace

// cuTexRefCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexRefCreate(CUtexref* handle) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr) return CUDA_ERROR_INVALID_VALUE;
  auto made = std::make_unique<Reference>(*call.context);
  *handle = reinterpret_cast<CUtexref>(made.get());
  call.context->own(std::move(made));
  return CUDA_SUCCESS;
}

// cuTexRefDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexRefDestroy(CUtexref handle) {
  return with(handle, [](Reference& reference) {
    reference.context.disown(&reference);
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetArray. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: the
// format becomes the array's without the flag, too.
CUresult CUDAAPI cuTexRefSetArray(CUtexref handle, CUarray array_handle, unsigned flags) {
  return with(handle, [&](Reference& reference) {
    const Array* const array = Array::find(array_handle);
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_TRSA_OVERRIDE_FORMAT) return CUDA_ERROR_INVALID_VALUE;
    bind(reference, array_handle, nullptr, false, 0);
    reference.format = array->description().Format;
    reference.channels = static_cast<int>(array->description().NumChannels);
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetMipmappedArray. Errors: as of cuTexRefSetArray.
CUresult CUDAAPI cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray array_handle, unsigned flags) {
  return with(handle, [&](Reference& reference) {
    const MipmappedArray* const array = MipmappedArray::find(array_handle);
    if (array == nullptr) return CUDA_ERROR_INVALID_HANDLE;
    if (flags > CU_TRSA_OVERRIDE_FORMAT) return CUDA_ERROR_INVALID_VALUE;
    bind(reference, nullptr, array_handle, false, 0);
    reference.format = array->levels()[0]->description().Format;
    reference.channels = static_cast<int>(array->levels()[0]->description().NumChannels);
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetAddress. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: an
// address between two aligned ones needs the offset, and no address is looked up.
CUresult CUDAAPI cuTexRefSetAddress_v2(size_t* offset, CUtexref handle, CUdeviceptr address, size_t bytes) {
  return with(handle, [&](Reference& reference) {
    const std::uint64_t rest = address % figure(reference, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT);
    const std::uint64_t most = figure(reference, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE1D_LINEAR_WIDTH) * 16;
    if ((rest != 0 && offset == nullptr) || bytes > most) return CUDA_ERROR_INVALID_VALUE;
    if (offset != nullptr) *offset = rest;
    bind(reference, nullptr, nullptr, true, address - rest);
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetAddress2D. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexRefSetAddress2D_v3(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR* shape,
                                         CUdeviceptr address, size_t pitch) {
  return with(handle, [&](Reference& reference) {
    if (shape == nullptr || address % figure(reference, CU_DEVICE_ATTRIBUTE_TEXTURE_ALIGNMENT) != 0 ||
        pitch == 0 || pitch % figure(reference, CU_DEVICE_ATTRIBUTE_TEXTURE_PITCH_ALIGNMENT) != 0)
      return CUDA_ERROR_INVALID_VALUE;
    bind(reference, nullptr, nullptr, true, address);
    reference.format = shape->Format;
    reference.channels = static_cast<int>(shape->NumChannels);
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetFormat. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured: any
// format, and no channel as well as 1, 2 and 4.
CUresult CUDAAPI cuTexRefSetFormat(CUtexref handle, CUarray_format format, int channels) {
  return with(handle, [&](Reference& reference) {
    if (channels != 0 && channels != 1 && channels != 2 && channels != 4) return CUDA_ERROR_INVALID_VALUE;
    reference.format = format;
    reference.channels = channels;
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetAddressMode. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured:
// what is no mode is taken for clamping.
CUresult CUDAAPI cuTexRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode) {
  return with(handle, [&](Reference& reference) {
    if (dimension < 0 || dimension > 2) return CUDA_ERROR_INVALID_VALUE;
    const bool known = static_cast<unsigned>(mode) <= CU_TR_ADDRESS_MODE_BORDER;
    reference.modes.at(static_cast<unsigned>(dimension)) = known ? mode : CU_TR_ADDRESS_MODE_CLAMP;
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetFilterMode. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Measured:
// any mode.
CUresult CUDAAPI cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
  return with(handle, [&](Reference& reference) {
    reference.filter = mode;
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetMipmapFilterMode. Errors: as of cuTexRefSetFilterMode.
CUresult CUDAAPI cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode) {
  return with(handle, [&](Reference& reference) {
    if (!is_filter(mode)) return CUDA_ERROR_INVALID_VALUE;
    reference.level_filter = mode;
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetMipmapLevelBias. Errors: as of cuTexRefSetFilterMode. Measured: any number.
CUresult CUDAAPI cuTexRefSetMipmapLevelBias(CUtexref handle, float bias) {
  return with(handle, [&](Reference& reference) {
    reference.bias = bias;
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetMipmapLevelClamp. Errors: as of cuTexRefSetFilterMode. Measured: any numbers.
CUresult CUDAAPI cuTexRefSetMipmapLevelClamp(CUtexref handle, float least, float most) {
  return with(handle, [&](Reference& reference) {
    reference.least_level = least;
    reference.most_level = most;
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetMaxAnisotropy. Errors: as of cuTexRefSetFilterMode. Measured: any number.
CUresult CUDAAPI cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned most) {
  return with(handle, [&](Reference& reference) {
    reference.anisotropy = static_cast<int>(most);
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetBorderColor. Errors: as of cuTexRefSetFilterMode.
CUresult CUDAAPI cuTexRefSetBorderColor(CUtexref handle, float* color) {
  return with(handle, [&](Reference& reference) {
    if (color == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::copy_n(color, 4, reference.border.begin());
    return CUDA_SUCCESS;
  });
}

// cuTexRefSetFlags. Errors: as of cuTexRefSetFilterMode. Measured: six flags, of which cuda.h names four.
CUresult CUDAAPI cuTexRefSetFlags(CUtexref handle, unsigned flags) {
  return with(handle, [&](Reference& reference) {
    if (flags > 0x3f) return CUDA_ERROR_INVALID_VALUE;
    reference.flags = flags;
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetAddress. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexRefGetAddress_v2(CUdeviceptr* address, CUtexref handle) {
  return with(handle, [&](const Reference& reference) {
    if (address == nullptr || !reference.has_address) return CUDA_ERROR_INVALID_VALUE;
    *address = reference.address;
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetArray. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetArray(CUarray* array, CUtexref handle) {
  return with(handle, [&](const Reference& reference) {
    if (array == nullptr || reference.array == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *array = reference.array;
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetMipmappedArray. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetMipmappedArray(CUmipmappedArray* array, CUtexref handle) {
  return with(handle, [&](const Reference& reference) {
    if (array == nullptr || reference.mipmapped == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *array = reference.mipmapped;
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetAddressMode. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetAddressMode(CUaddress_mode* mode, CUtexref handle, int dimension) {
  return with(handle, [&](const Reference& reference) {
    if (mode == nullptr || dimension < 0 || dimension > 2) return CUDA_ERROR_INVALID_VALUE;
    *mode = reference.modes.at(static_cast<unsigned>(dimension));
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetFilterMode. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetFilterMode(CUfilter_mode* mode, CUtexref handle) {
  return tell(handle, mode, [](const Reference& reference) { return reference.filter; });
}

// cuTexRefGetFormat. Errors: as of cuTexRefGetAddress. Measured: either pointer may be null.
CUresult CUDAAPI cuTexRefGetFormat(CUarray_format* format, int* channels, CUtexref handle) {
  return with(handle, [&](const Reference& reference) {
    if (format != nullptr) *format = reference.format;
    if (channels != nullptr) *channels = reference.channels;
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetMipmapFilterMode. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetMipmapFilterMode(CUfilter_mode* mode, CUtexref handle) {
  return tell(handle, mode, [](const Reference& reference) { return reference.level_filter; });
}

// cuTexRefGetMipmapLevelBias. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetMipmapLevelBias(float* bias, CUtexref handle) {
  return tell(handle, bias, [](const Reference& reference) { return reference.bias; });
}

// cuTexRefGetMipmapLevelClamp. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetMipmapLevelClamp(float* least, float* most, CUtexref handle) {
  return with(handle, [&](const Reference& reference) {
    if (least == nullptr || most == nullptr) return CUDA_ERROR_INVALID_VALUE;
    *least = reference.least_level;
    *most = reference.most_level;
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetMaxAnisotropy. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetMaxAnisotropy(int* most, CUtexref handle) {
  return tell(handle, most, [](const Reference& reference) { return reference.anisotropy; });
}

// cuTexRefGetBorderColor. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetBorderColor(float* color, CUtexref handle) {
  return with(handle, [&](const Reference& reference) {
    if (color == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::copy(reference.border.begin(), reference.border.end(), color);
    return CUDA_SUCCESS;
  });
}

// cuTexRefGetFlags. Errors: as of cuTexRefGetAddress.
CUresult CUDAAPI cuTexRefGetFlags(unsigned* flags, CUtexref handle) {
  return tell(handle, flags, [](const Reference& reference) { return reference.flags; });
}

// cuModuleGetTexRef. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE, NOT_FOUND.
CUresult CUDAAPI cuModuleGetTexRef(CUtexref* handle, CUmodule module, const char* name) {
  return not_of_module(handle, module, name);
}

// cuModuleGetSurfRef. Errors: as of cuModuleGetTexRef.
CUresult CUDAAPI cuModuleGetSurfRef(CUsurfref* handle, CUmodule module, const char* name) {
  return not_of_module(handle, module, name);
}

// cuSurfRefSetArray. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. Only modules
// have surface references.
CUresult CUDAAPI cuSurfRefSetArray(CUsurfref, CUarray, unsigned) {
  const ReadingAnywhere call;
  return call.error ? call.error : CUDA_ERROR_INVALID_HANDLE;
}

// cuSurfRefGetArray. Errors: as of cuSurfRefSetArray.
CUresult CUDAAPI cuSurfRefGetArray(CUarray*, CUsurfref) {
  const ReadingAnywhere call;
  return call.error ? call.error : CUDA_ERROR_INVALID_HANDLE;
}

// cuParamSetTexRef. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. For references of
// the function's module, and modules have none here. Measured: one of cuTexRefCreate gives 1, and none 400
// (truth rest_param_texture).
CUresult CUDAAPI cuParamSetTexRef(CUfunction function, int, CUtexref handle) {
  const Reading call;
  if (call.error) return call.error;
  const bool known = Code::get().function(function) != nullptr && Reference::find(handle) != nullptr;
  return known ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_INVALID_HANDLE;
}

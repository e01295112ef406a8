// SPDX-License-Identifier: MIT
// Entry points of the manual's chapters "Texture Object Management" and "Surface Object Management".
#include "core/texture.hpp"

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

// A kernel that is running may still read through the object. Measured: what is no object of the current
// context is no error either (truth texture_bad_handle, texture_other_context).
CUresult destroy(unsigned long long handle, bool surface) {
  if (const CUresult error = Driver::ready()) return error;
  Context* current = nullptr;
  const auto lock = lock_when_done([&]() -> Completions {
    if (current_context(current) != CUDA_SUCCESS) return {};
    const TextureObject* const object = TextureObject::find(*current, handle, surface);
    return object == nullptr ? Completions{} : object->context().streams().unfinished();
  });
  if (const CUresult error = current_context(current)) return error;
  if (const TextureObject* const object = TextureObject::find(*current, handle, surface))
    current->disown(object);
  return CUDA_SUCCESS;
}

// Writes what `part` gives of an object.
template <typename Description, typename Part>
CUresult describe(Description* description, unsigned long long handle, bool surface, Part part) {
  const Reading call;
  if (call.error) return call.error;
  const TextureObject* const object = TextureObject::find(*call.context, handle, surface);
  if (description == nullptr || object == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *description = part(*object);
  return CUDA_SUCCESS;
}

CUresult describe_resource(CUDA_RESOURCE_DESC* description, unsigned long long handle, bool surface) {
  return describe(description, handle, surface,
                  [](const TextureObject& object) { return object.resource(); });
}

}  // namespace

// cuTexObjectCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexObjectCreate(CUtexObject* handle, const CUDA_RESOURCE_DESC* resource,
                                   const CUDA_TEXTURE_DESC* texture, const CUDA_RESOURCE_VIEW_DESC* view) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || resource == nullptr || texture == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::unique_ptr<TextureObject> object;
  if (const CUresult error = TextureObject::create_texture(*call.context, *resource, *texture, view, object))
    return error;
  *handle = object->handle();
  call.context->own(std::move(object));
  return CUDA_SUCCESS;
}

// cuTexObjectDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexObjectDestroy(CUtexObject handle) {
  return destroy(handle, false);
}

// cuTexObjectGetResourceDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* description, CUtexObject handle) {
  return describe_resource(description, handle, false);
}

// cuTexObjectGetTextureDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description, CUtexObject handle) {
  return describe(description, handle, false, [](const TextureObject& object) { return object.texture(); });
}

// cuTexObjectGetResourceViewDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
// Measured: unlike the manual says, it is no error where no view was specified (truth texture_nulls).
CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* description, CUtexObject handle) {
  return describe(description, handle, false, [](const TextureObject& object) { return object.view(); });
}

// cuSurfObjectCreate. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuSurfObjectCreate(CUsurfObject* handle, const CUDA_RESOURCE_DESC* resource) {
  const Changing call;
  if (call.error) return call.error;
  if (handle == nullptr || resource == nullptr) return CUDA_ERROR_INVALID_VALUE;
  std::unique_ptr<TextureObject> object;
  if (const CUresult error = TextureObject::create_surface(*call.context, *resource, object)) return error;
  *handle = object->handle();
  call.context->own(std::move(object));
  return CUDA_SUCCESS;
}

// cuSurfObjectDestroy. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuSurfObjectDestroy(CUsurfObject handle) {
  return destroy(handle, true);
}

// cuSurfObjectGetResourceDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* description, CUsurfObject handle) {
  return describe_resource(description, handle, true);
}

// SPDX-License-Identifier: MIT
// Entry points of the manual's chapters "Texture Object Management" and "Surface Object Management".
#include "core/texture.hpp"

#include "core/call.hpp"
#include "core/capture.hpp"
#include "core/stream.hpp"

using namespace driver;

namespace {

using Find = TextureObject* (*)(unsigned long long);

// A kernel that is running may still read through the object.
CUresult destroy(unsigned long long handle, Find find) {
  if (const CUresult error = Driver::ready()) return error;
  const auto lock = lock_when_done([&]() -> Completions {
    const TextureObject* const object = find(handle);
    return object == nullptr ? Completions{} : object->context().streams().unfinished();
  });
  Context* current = nullptr;
  if (const CUresult error = current_context(current)) return error;
  TextureObject* const object = find(handle);
  if (object == nullptr) return CUDA_ERROR_INVALID_VALUE;
  object->context().disown(object);
  return CUDA_SUCCESS;
}

// Writes what `part` gives of an object.
template <typename Description, typename Part>
CUresult describe(Description* description, unsigned long long handle, Find find, Part part) {
  const Reading call;
  if (call.error) return call.error;
  if (description == nullptr) return CUDA_ERROR_INVALID_VALUE;
  const TextureObject* const object = find(handle);
  if (object == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return part(*object, *description);
}

CUresult describe_resource(CUDA_RESOURCE_DESC* description, unsigned long long handle, Find find) {
  return describe(description, handle, find, [](const TextureObject& object, CUDA_RESOURCE_DESC& to) {
    to = object.resource();
    return CUDA_SUCCESS;
  });
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
  return destroy(handle, TextureObject::find_texture);
}

// cuTexObjectGetResourceDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexObjectGetResourceDesc(CUDA_RESOURCE_DESC* description, CUtexObject handle) {
  return describe_resource(description, handle, TextureObject::find_texture);
}

// cuTexObjectGetTextureDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuTexObjectGetTextureDesc(CUDA_TEXTURE_DESC* description, CUtexObject handle) {
  return describe(description, handle, TextureObject::find_texture,
                  [](const TextureObject& object, CUDA_TEXTURE_DESC& to) {
                    to = object.texture();
                    return CUDA_SUCCESS;
                  });
}

// cuTexObjectGetResourceViewDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE. The
// manual: an error where no view was specified.
CUresult CUDAAPI cuTexObjectGetResourceViewDesc(CUDA_RESOURCE_VIEW_DESC* description, CUtexObject handle) {
  return describe(description, handle, TextureObject::find_texture,
                  [](const TextureObject& object, CUDA_RESOURCE_VIEW_DESC& to) {
                    if (!object.view()) return CUDA_ERROR_INVALID_VALUE;
                    to = *object.view();
                    return CUDA_SUCCESS;
                  });
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
  return destroy(handle, TextureObject::find_surface);
}

// cuSurfObjectGetResourceDesc. Errors: DEINITIALIZED, NOT_INITIALIZED, INVALID_CONTEXT, INVALID_VALUE.
CUresult CUDAAPI cuSurfObjectGetResourceDesc(CUDA_RESOURCE_DESC* description, CUsurfObject handle) {
  return describe_resource(description, handle, TextureObject::find_surface);
}

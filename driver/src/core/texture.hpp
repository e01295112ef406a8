// SPDX-License-Identifier: MIT
// Texture and surface objects: what a program passed to make one, and the record of it that kernels read
// (ptx/texture.hpp). The handle is the record's address in device memory.
//
// Made and destroyed with Driver's lock held, exclusive. Does not depend on entry points.
#pragma once

#include <memory>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "ptx/texture.hpp"

namespace driver {

class TextureObject : public OwnedObject {
 public:
  // INVALID_VALUE for a description that is none, PEER_ACCESS_NOT_ENABLED for another context's array.
  static CUresult create_texture(Context& context, const CUDA_RESOURCE_DESC& resource,
                                 const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view,
                                 std::unique_ptr<TextureObject>& made);
  static CUresult create_surface(Context& context, const CUDA_RESOURCE_DESC& resource,
                                 std::unique_ptr<TextureObject>& made);
  ~TextureObject() override;
  TextureObject(const TextureObject&) = delete;
  TextureObject& operator=(const TextureObject&) = delete;

  // Null for an invalid handle, for one of the other kind, and for one of another context.
  static TextureObject* find(const Context& context, unsigned long long handle, bool surface);

  unsigned long long handle() const { return memory_.base; }
  Context& context() const { return context_; }
  const CUDA_RESOURCE_DESC& resource() const { return resource_; }
  const CUDA_TEXTURE_DESC& texture() const { return texture_; }
  // All zeros without one.
  const CUDA_RESOURCE_VIEW_DESC& view() const { return view_; }

 private:
  TextureObject(Context& context, const CUDA_RESOURCE_DESC& resource)
      : context_(context), resource_(resource) {}
  CUresult publish(ptx::Texture record);

  Context& context_;
  CUDA_RESOURCE_DESC resource_;
  CUDA_TEXTURE_DESC texture_{};
  CUDA_RESOURCE_VIEW_DESC view_{};
  bool surface_ = false;
  Allocation memory_;
};

}  // namespace driver

// SPDX-License-Identifier: MIT
// Texture and surface objects: what a program passed to make one, and the record of it that kernels read
// (ptx/texture.hpp). The handle is the record's address in device memory.
//
// Made and destroyed with Driver's lock held, exclusive. Does not depend on entry points.
#pragma once

#include <memory>
#include <optional>

#include "core/context.hpp"
#include "core/memory.hpp"
#include "ptx/texture.hpp"

namespace driver {

class TextureObject : public OwnedObject {
 public:
  // INVALID_VALUE for a description that is none, INVALID_HANDLE for arrays that there are not.
  static CUresult create_texture(Context& context, const CUDA_RESOURCE_DESC& resource,
                                 const CUDA_TEXTURE_DESC& texture, const CUDA_RESOURCE_VIEW_DESC* view,
                                 std::unique_ptr<TextureObject>& made);
  static CUresult create_surface(Context& context, const CUDA_RESOURCE_DESC& resource,
                                 std::unique_ptr<TextureObject>& made);
  ~TextureObject() override;
  TextureObject(const TextureObject&) = delete;
  TextureObject& operator=(const TextureObject&) = delete;

  // Null for an invalid handle, and for one of the other kind.
  static TextureObject* find_texture(CUtexObject handle) { return find(handle, false); }
  static TextureObject* find_surface(CUsurfObject handle) { return find(handle, true); }

  unsigned long long handle() const { return memory_.base; }
  Context& context() const { return context_; }
  const CUDA_RESOURCE_DESC& resource() const { return resource_; }
  const CUDA_TEXTURE_DESC& texture() const { return texture_; }
  const std::optional<CUDA_RESOURCE_VIEW_DESC>& view() const { return view_; }

 private:
  TextureObject(Context& context, const CUDA_RESOURCE_DESC& resource)
      : context_(context), resource_(resource) {}
  static TextureObject* find(unsigned long long handle, bool surface);
  CUresult publish(ptx::Texture record);

  Context& context_;
  CUDA_RESOURCE_DESC resource_;
  CUDA_TEXTURE_DESC texture_{};
  std::optional<CUDA_RESOURCE_VIEW_DESC> view_;
  bool surface_ = false;
  Allocation memory_;
};

}  // namespace driver

// SPDX-License-Identifier: MIT
// Arrays: memory of a device whose layout only the driver knows, identified by a handle and not by an
// address.
//
// Here an array consists of rows without gaps. Its memory is taken from the device and is in no table, so
// that a program can use no address in it. A level of a mipmapped array is an array too, which ends with it.
// Made and destroyed with Driver's lock held, exclusive. Does not depend on entry points.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/context.hpp"
#include "core/memory.hpp"

namespace driver {

class Array : public OwnedObject {
 public:
  // INVALID_VALUE for an invalid description, NOT_SUPPORTED for formats whose elements are blocks or planes
  // and for memory that is mapped later, OUT_OF_MEMORY.
  static CUresult create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& description,
                         std::unique_ptr<Array>& array);
  ~Array() override;
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  CUarray handle() { return reinterpret_cast<CUarray>(this); }
  // Null for an invalid handle. Has a lock of its own, so it can be called at any time.
  static Array* find(CUarray handle);

  Context& context() const { return context_; }
  bool is_level() const { return is_level_; }
  const CUDA_ARRAY3D_DESCRIPTOR& description() const { return description_; }
  // What copies need: sizes in bytes, rows and layers, each at least 1.
  std::uint64_t element() const { return element_; }
  std::uint64_t width() const { return description_.Width * element_; }
  std::uint64_t height() const { return description_.Height == 0 ? 1 : description_.Height; }
  std::uint64_t depth() const { return description_.Depth == 0 ? 1 : description_.Depth; }
  std::uint64_t address() const { return memory_.base; }
  std::byte* bytes() const { return memory_.view; }

 private:
  Array(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& description, std::uint64_t element)
      : context_(context), description_(description), element_(element) {}

  Context& context_;
  const CUDA_ARRAY3D_DESCRIPTOR description_;
  const std::uint64_t element_;  // bytes
  bool is_level_ = false;
  Allocation memory_;

  friend class MipmappedArray;
};

// The same picture in halving sizes.
class MipmappedArray : public OwnedObject {
 public:
  // As Array::create. The number of levels is limited to those that the extent has: 1 + log2 of the largest.
  static CUresult create(Context& context, const CUDA_ARRAY3D_DESCRIPTOR& description, unsigned levels,
                         std::unique_ptr<MipmappedArray>& made);
  ~MipmappedArray() override;
  MipmappedArray(const MipmappedArray&) = delete;
  MipmappedArray& operator=(const MipmappedArray&) = delete;

  CUmipmappedArray handle() { return reinterpret_cast<CUmipmappedArray>(this); }
  static MipmappedArray* find(CUmipmappedArray handle);
  // Why none has this handle: 709 when its context was destroyed, 400 for any other.
  static CUresult none(CUmipmappedArray handle);

  Context& context() const { return context_; }
  // The largest first; at least one.
  const std::vector<std::unique_ptr<Array>>& levels() const { return levels_; }

 private:
  explicit MipmappedArray(Context& context) : context_(context) {}

  Context& context_;
  std::vector<std::unique_ptr<Array>> levels_;
};

}  // namespace driver

// SPDX-License-Identifier: MIT
// Allocates ranges of a line of addresses, first fit, and frees them.
//
// Used for the 2 MiB blocks of a device's addresses, for the 512-byte units inside a block, and for those of
// a pool, which is given more of the line as it grows. Lowest address first, as the real driver does: freeing
// and allocating again gives the same address. It uses no memory at these addresses; it only calculates with
// them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/assured.hpp"

namespace driver {

class RangeAllocator {
 public:
  RangeAllocator(std::uint64_t size, std::uint64_t granularity);

  // The offset of a free range of at least `size` bytes, rounded up to the granularity.
  std::optional<std::uint64_t> take(std::uint64_t size) { return take(size, granularity_); }
  // The same at a multiple of `alignment`, which is one of the granularity.
  std::optional<std::uint64_t> take(std::uint64_t size, std::uint64_t alignment);
  // This range; false if it is not free.
  bool take_at(std::uint64_t offset, std::uint64_t size);
  void give_back(std::uint64_t offset, std::uint64_t size);
  // A range that it does not have yet, and one that it has no longer; false if that is not free.
  void add(std::uint64_t offset, std::uint64_t size);
  bool remove(std::uint64_t offset, std::uint64_t size);
  // Free bytes that end at an offset.
  std::uint64_t free_before(std::uint64_t offset) const;

  std::uint64_t round_up(std::uint64_t size) const {
    return (size + granularity_ - 1) / granularity_ * granularity_;
  }
  std::uint64_t used() const { return used_; }
  std::uint64_t size() const { return size_; }

 private:
  using Free = AssuredMap<std::uint64_t, std::uint64_t>;  // offset -> length, never touching each other

  void take_out(Free::iterator range, std::uint64_t offset, std::uint64_t length);

  std::uint64_t size_;
  std::uint64_t granularity_;
  std::uint64_t used_ = 0;
  Free free_;
};

}  // namespace driver

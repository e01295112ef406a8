// SPDX-License-Identifier: MIT
// Allocates ranges of a line of addresses, first fit, and frees them.
//
// Used twice: for the 2 MiB blocks of a device's addresses and for the 512-byte units inside a block.
// Lowest address first, as the real driver does: freeing and allocating again gives the same address.
// It uses no memory at these addresses; it only calculates with them.
#pragma once

#include <cstdint>
#include <optional>

#include "core/assured.hpp"

namespace driver {

class RangeAllocator {
 public:
  RangeAllocator(std::uint64_t size, std::uint64_t granularity);

  // The offset of a free range of at least `size` bytes, rounded up to the granularity.
  std::optional<std::uint64_t> take(std::uint64_t size);
  void give_back(std::uint64_t offset, std::uint64_t size);

  std::uint64_t round_up(std::uint64_t size) const {
    return (size + granularity_ - 1) / granularity_ * granularity_;
  }
  std::uint64_t used() const { return used_; }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t size_;
  std::uint64_t granularity_;
  std::uint64_t used_ = 0;
  AssuredMap<std::uint64_t, std::uint64_t> free_;  // offset -> length, never touching each other
};

}  // namespace driver

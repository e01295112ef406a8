// SPDX-License-Identifier: MIT
// Host memory that calls have named: no call made it, so all that is known is where a copy began in it, and
// how far copies went. Memory that the driver made or pinned is an Allocation.
//
// Part of State, and a plain value. Nobody tells when the program frees such memory, so only the latest
// pieces are kept.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

struct HostRegion {
  std::uint32_t number = 0;  // 1, 2, … over the run
  std::uint64_t address = 0, size = 0;
  std::uint64_t event = 0;  // seq of the first call that named it

  bool operator==(const HostRegion&) const = default;
};

struct HostChange {
  std::uint64_t address = 0, size = 0, event = 0;  // size 0: only that there is host memory at all
};

struct HostMemory {
  static constexpr std::size_t kMostRegions = 8;

  std::vector<HostRegion> plain;  // by their first call; they do not overlap
  std::uint32_t made = 0;         // the number of the last one
  bool named = false;             // a call has named host memory, of whatever kind

  void apply(const HostChange& change);
  void clear() { *this = {}; }
  const HostRegion* holding(std::uint64_t address) const;
  bool holds(std::uint64_t address, std::uint64_t size) const;  // all of it, in one region
  std::size_t bytes() const { return plain.capacity() * sizeof(HostRegion); }
  bool operator==(const HostMemory&) const = default;
};

}  // namespace lab

// SPDX-License-Identifier: MIT
// What a program has advised about managed memory, and where it was prefetched last: kept for each page,
// returned, and without effect on one machine's memory. Guarded by Driver's lock. Knows nothing of
// allocations: places are offsets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/api.hpp"

namespace driver {

struct Advice {
  bool read_mostly = false;
  CUmemLocation preferred{CU_MEM_LOCATION_TYPE_INVALID, 0};
  CUmemLocation prefetched{CU_MEM_LOCATION_TYPE_INVALID, 0};
  std::uint32_t accessed_by = 0;  // a bit for each device, the last one for the host
};

class AdviceByPage {
 public:
  // Room for so many changes. May throw; the changes then do not.
  void prepare(std::size_t changes);
  // Changes the advice of every page in which the range has a byte. It is not empty.
  template <typename Change>
  void change(std::uint64_t offset, std::uint64_t size, const Change& change) {
    const std::size_t first = split_at(offset / kPage * kPage);
    const std::size_t last = split_at((offset + size + kPage - 1) / kPage * kPage);
    for (std::size_t i = first; i < last; ++i) change(pieces_[i].advice);
    join_equal();
  }
  // What all pages of a range have in common; what differs is as if nothing had been said.
  Advice common(std::uint64_t offset, std::uint64_t size) const;

 private:
  static constexpr std::uint64_t kPage = 4096;  // measured: a byte has the advice of its page
  // From its offset up to the next piece's. No piece: nothing was advised.
  struct Piece {
    std::uint64_t begin = 0;
    Advice advice = {};
  };
  // The index of the piece that begins there, which it makes if need be.
  std::size_t split_at(std::uint64_t offset);
  void join_equal();

  std::vector<Piece> pieces_;
};

}  // namespace driver

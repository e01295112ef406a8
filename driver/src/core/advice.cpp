// SPDX-License-Identifier: MIT
// See advice.hpp. Pieces are in the order of their offsets, and neighbours differ.
#include "core/advice.hpp"

#include <algorithm>

namespace driver {
namespace {

bool same(const CUmemLocation& one, const CUmemLocation& other) {
  return one.type == other.type && one.id == other.id;
}

bool same(const Advice& one, const Advice& other) {
  return one.read_mostly == other.read_mostly && same(one.preferred, other.preferred) &&
         same(one.prefetched, other.prefetched) && one.accessed_by == other.accessed_by;
}

void keep_common(CUmemLocation& place, const CUmemLocation& other) {
  if (!same(place, other)) place = Advice{}.preferred;
}

}  // namespace

void AdviceByPage::prepare(std::size_t changes) {
  // A change has two borders, and the first one of all makes a piece at 0 as well.
  pieces_.reserve(pieces_.size() + 1 + 2 * changes);
}

std::size_t AdviceByPage::split_at(std::uint64_t offset) {
  if (pieces_.empty()) pieces_.emplace_back();
  const auto after = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                      [](std::uint64_t at, const Piece& piece) { return at < piece.begin; });
  const auto holding = after - 1;
  if (holding->begin == offset) return static_cast<std::size_t>(holding - pieces_.begin());
  const auto made = pieces_.insert(after, Piece{offset, Advice(holding->advice)});
  return static_cast<std::size_t>(made - pieces_.begin());
}

void AdviceByPage::join_equal() {
  const auto end = std::unique(pieces_.begin(), pieces_.end(), [](const Piece& one, const Piece& next) {
    return same(one.advice, next.advice);
  });
  pieces_.erase(end, pieces_.end());
}

Advice AdviceByPage::common(std::uint64_t offset, std::uint64_t size) const {
  Advice result;
  bool first = true;
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    const bool before = i + 1 < pieces_.size() && pieces_[i + 1].begin <= offset;
    if (before || pieces_[i].begin >= offset + size) continue;
    const Advice& piece = pieces_[i].advice;
    if (first) {
      result = piece;
    } else {
      result.read_mostly = result.read_mostly && piece.read_mostly;
      keep_common(result.preferred, piece.preferred);
      keep_common(result.prefetched, piece.prefetched);
      result.accessed_by &= piece.accessed_by;
    }
    first = false;
  }
  return result;
}

}  // namespace driver

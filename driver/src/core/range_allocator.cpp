// SPDX-License-Identifier: MIT
// See range_allocator.hpp. First fit over a map of free ranges; neighbours are joined when a range comes
// back.
#include "core/range_allocator.hpp"

namespace driver {

RangeAllocator::RangeAllocator(std::uint64_t size, std::uint64_t granularity)
    : size_(size / granularity * granularity), granularity_(granularity) {
  if (size_ > 0) free_.emplace(0, size_);
}

std::optional<std::uint64_t> RangeAllocator::take(std::uint64_t size) {
  if (size == 0 || size > size_) return std::nullopt;
  const std::uint64_t wanted = round_up(size);
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const auto [offset, length] = *range;
    if (length < wanted) continue;
    auto next = free_.erase(range);
    if (length > wanted) free_.emplace_hint(next, offset + wanted, length - wanted);
    used_ += wanted;
    return offset;
  }
  return std::nullopt;
}

void RangeAllocator::give_back(std::uint64_t offset, std::uint64_t size) {
  std::uint64_t length = round_up(size);
  used_ -= length;
  auto after = free_.lower_bound(offset);
  if (after != free_.end() && after->first == offset + length) {
    length += after->second;
    after = free_.erase(after);
  }
  if (after != free_.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == offset) {
      before->second += length;
      return;
    }
  }
  free_.emplace_hint(after, offset, length);
}

}  // namespace driver

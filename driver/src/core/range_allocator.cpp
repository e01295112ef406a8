// SPDX-License-Identifier: MIT
// See range_allocator.hpp. First fit over a map of free ranges; neighbours are joined when a range comes
// back.
#include "core/range_allocator.hpp"

namespace driver {

RangeAllocator::RangeAllocator(std::uint64_t size, std::uint64_t granularity)
    : size_(size / granularity * granularity), granularity_(granularity) {
  if (size_ > 0) free_.emplace(0, size_);
}

void RangeAllocator::take_out(Free::iterator range, std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t end = range->first + range->second;
  if (offset == range->first) {
    range = free_.erase(range);
  } else {
    range->second = offset - range->first;
    ++range;
  }
  if (offset + length < end) free_.emplace_hint(range, offset + length, end - offset - length);
  used_ += length;
}

std::optional<std::uint64_t> RangeAllocator::take(std::uint64_t size, std::uint64_t alignment) {
  if (size == 0 || size > size_) return std::nullopt;
  const std::uint64_t wanted = round_up(size);
  for (auto range = free_.begin(); range != free_.end(); ++range) {
    const std::uint64_t offset = (range->first + alignment - 1) / alignment * alignment;
    if (range->second < wanted || offset - range->first > range->second - wanted) continue;
    take_out(range, offset, wanted);
    return offset;
  }
  return std::nullopt;
}

bool RangeAllocator::take_at(std::uint64_t offset, std::uint64_t size) {
  const std::uint64_t wanted = round_up(size);
  auto range = free_.upper_bound(offset);
  if (range == free_.begin()) return false;
  --range;
  const std::uint64_t before = offset - range->first;
  if (before > range->second || range->second - before < wanted) return false;
  take_out(range, offset, wanted);
  return true;
}

void RangeAllocator::add(std::uint64_t offset, std::uint64_t size) {
  size_ += size;
  used_ += size;
  give_back(offset, size);
}

bool RangeAllocator::remove(std::uint64_t offset, std::uint64_t size) {
  if (!take_at(offset, size)) return false;
  size_ -= size;
  used_ -= size;
  return true;
}

std::uint64_t RangeAllocator::free_before(std::uint64_t offset) const {
  const auto after = free_.lower_bound(offset);
  if (after == free_.begin()) return 0;
  const auto& [first, length] = *std::prev(after);
  return first + length == offset ? length : 0;
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

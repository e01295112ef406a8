// SPDX-License-Identifier: MIT
// See lab/timeline_row.hpp.
#include "lab/timeline_row.hpp"

#include <algorithm>

namespace lab {

std::uint64_t TimelineRow::end(std::size_t span) const {
  const Span& one = spans_[span];
  if (one.took != kLong) return one.begin + one.took;
  return long_.at(static_cast<std::uint32_t>(span));
}

void TimelineRow::add(std::uint64_t begin, std::uint64_t end, std::uint32_t what) {
  if (!spans_.empty()) {
    const std::uint64_t before = this->end(spans_.size() - 1);
    begin = std::max(begin, before == kOpenEnd ? spans_.back().begin : before);
    if (before == kOpenEnd) set_end(spans_.size() - 1, begin);
  }
  spans_.push_back({begin, 0, what});
  set_end(spans_.size() - 1, std::max(begin, end));
}

void TimelineRow::set_end(std::size_t span, std::uint64_t end) {
  Span& one = spans_[span];
  const std::uint64_t took = std::max(end, one.begin) - one.begin;
  if (one.took == kLong) long_.erase(static_cast<std::uint32_t>(span));
  one.took = took < kLong ? static_cast<std::uint32_t>(took) : kLong;
  if (one.took == kLong) long_[static_cast<std::uint32_t>(span)] = std::max(end, one.begin);
}

std::span<const std::uint32_t> TimelineRow::marked(std::size_t from, std::size_t to) const {
  const auto first = std::lower_bound(marked_.begin(), marked_.end(), static_cast<std::uint32_t>(from));
  const auto last = std::lower_bound(first, marked_.end(), static_cast<std::uint32_t>(to));
  return {first, last};
}

std::size_t TimelineRow::first_ending_after(std::uint64_t instant) const {
  std::size_t low = 0, high = spans_.size();
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (end(middle) > instant)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

// What is looked for is mostly near: the steps double.
std::size_t TimelineRow::first_beginning_at(std::uint64_t instant, std::size_t from) const {
  std::size_t step = 1, low = from, high = from;
  while (high < spans_.size() && spans_[high].begin < instant) {
    low = high + 1;
    high += step;
    step *= 2;
  }
  high = std::min(high, spans_.size());
  const auto found = std::lower_bound(
      spans_.begin() + static_cast<std::ptrdiff_t>(low), spans_.begin() + static_cast<std::ptrdiff_t>(high),
      instant, [](const Span& span, std::uint64_t wanted) { return span.begin < wanted; });
  return static_cast<std::size_t>(found - spans_.begin());
}

void TimelineRow::stretches(std::span<const std::uint64_t> edges, std::vector<Stretch>& out) const {
  if (edges.size() < 2) return;
  const std::size_t width = edges.size() - 1;
  // The pixel of an instant, not before `from`: neighbours are near, so the steps double here as well.
  const auto pixel_of = [&](std::uint64_t instant, std::size_t from) {
    std::size_t step = 1, high = from + 1, low = high;
    while (high < edges.size() && edges[high] <= instant) {
      low = high + 1;
      high += step;
      step *= 2;
    }
    const auto found =
        std::upper_bound(edges.begin() + static_cast<std::ptrdiff_t>(std::min(low, width)),
                         edges.begin() + static_cast<std::ptrdiff_t>(std::min(high, edges.size())), instant);
    return std::min(static_cast<std::size_t>(found - edges.begin()) - 1, width);
  };
  std::size_t pixel = 0;
  for (std::size_t span = first_ending_after(edges.front());
       span < spans_.size() && spans_[span].begin < edges.back();) {
    pixel = pixel_of(spans_[span].begin, pixel);
    if (pixel >= width) break;
    std::size_t next = std::max(span + 1, first_beginning_at(edges[pixel + 1], span));
    // The last that begins in this pixel may be a long one: it is not hidden among the short.
    if (next - span > 1 && end(next - 1) > edges[std::min(pixel + 2, width)]) --next;
    const std::uint64_t until = end(next - 1);
    const std::size_t last = pixel_of(until, pixel);
    const std::size_t to = std::clamp(last + (last < width && until > edges[last] ? 1 : 0), pixel + 1, width);
    out.push_back({static_cast<std::uint32_t>(pixel), static_cast<std::uint32_t>(to),
                   static_cast<std::uint32_t>(span), static_cast<std::uint32_t>(next - span)});
    span = next;
  }
}

std::size_t TimelineRow::bytes() const {
  constexpr std::size_t kNode = 48;
  return spans_.capacity() * sizeof(Span) + marked_.capacity() * sizeof(std::uint32_t) + long_.size() * kNode;
}

}  // namespace lab

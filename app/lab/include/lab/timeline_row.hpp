// SPDX-License-Identifier: MIT
// One row of the timeline: spans of time, none of which overlaps another, as many as a run has calls.
//
// What a width in pixels shows of it is found in a time that depends on the width and hardly on the number
// of spans: spans too short for a pixel are counted together. Nothing here depends on what a span means.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace lab {

inline constexpr std::uint64_t kOpenEnd = ~std::uint64_t{0};  // it has not ended yet, or it is not known when

// Some pixels of a row: a span, or several that are too short to be told from each other.
struct Stretch {
  std::uint32_t from = 0, to = 0;  // pixels, [from, to), at least one
  std::uint32_t first = 0, count = 0;
};

class TimelineRow {
 public:
  std::size_t size() const { return spans_.size(); }
  std::uint64_t begin(std::size_t span) const { return spans_[span].begin; }
  std::uint64_t end(std::size_t span) const;
  std::uint32_t what(std::size_t span) const { return spans_[span].what; }  // as given to add()

  // Not before the span before it ends: a clock that seems to go back is put right.
  void add(std::uint64_t begin, std::uint64_t end, std::uint32_t what);
  // The end of a span that was open, or an earlier one.
  void set_end(std::size_t span, std::uint64_t end);
  // The spans are marked: of calls, that they failed. In the order of the row.
  void mark(std::size_t span) { marked_.push_back(static_cast<std::uint32_t>(span)); }
  // The marked spans in [from, to).
  std::span<const std::uint32_t> marked(std::size_t from, std::size_t to) const;

  std::size_t first_ending_after(std::uint64_t instant) const;  // size(): none
  // `edges`: the instants at which pixels begin, ascending, and the end of the last one.
  void stretches(std::span<const std::uint64_t> edges, std::vector<Stretch>& out) const;
  std::size_t bytes() const;

 private:
  struct Span {
    std::uint64_t begin = 0;
    std::uint32_t took = 0;  // kLong: in long_
    std::uint32_t what = 0;
  };
  static constexpr std::uint32_t kLong = 0xffffffff;

  std::size_t first_beginning_at(std::uint64_t instant, std::size_t from) const;

  std::vector<Span> spans_;
  std::vector<std::uint32_t> marked_;
  std::unordered_map<std::uint32_t, std::uint64_t> long_;  // ends
};

}  // namespace lab

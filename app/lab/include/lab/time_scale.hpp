// SPDX-License-Identifier: MIT
// Where moments of a run lie on the timeline: by the clock, or in even steps, so that a call of a microsecond
// is as wide as one that waited for a second.
//
// A step is the time from one instant at which something began or ended to the next. The instants of a long
// run are thinned out, so the memory has a limit. Nothing here depends on calls or on drawing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace lab {

class TimeScale {
 public:
  enum class Kind : std::uint8_t { Steps, Clock };

  void add(std::uint64_t instant) { fresh_.push_back(instant); }  // in ns, in any order
  void settle();  // takes in what was added; late instants cost time for those after them

  bool empty() const { return instants_.empty(); }
  std::uint64_t first() const { return instants_.empty() ? 0 : instants_.front(); }
  std::uint64_t last() const { return latest_; }
  // Both grow with their argument, and each undoes the other up to rounding.
  double place_of(std::uint64_t instant, Kind kind) const;
  std::uint64_t instant_at(double place, Kind kind) const;
  std::size_t bytes() const { return instants_.capacity() * sizeof(std::uint64_t); }

 private:
  static constexpr std::size_t kMost = std::size_t{1} << 17;

  std::vector<std::uint64_t> instants_;  // ascending, each once: every stride_-th of all
  std::vector<std::uint64_t> fresh_;
  std::uint64_t latest_ = 0;
  std::size_t stride_ = 1, skipped_ = 0;
};

}  // namespace lab

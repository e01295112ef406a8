// SPDX-License-Identifier: MIT
// See lab/time_scale.hpp.
#include "lab/time_scale.hpp"

#include <algorithm>
#include <cmath>

namespace lab {

void TimeScale::settle() {
  if (fresh_.empty()) return;
  std::sort(fresh_.begin(), fresh_.end());
  latest_ = std::max(latest_, fresh_.back());
  if (stride_ > 1) {
    std::size_t kept = 0;
    for (const std::uint64_t instant : fresh_)
      if (++skipped_ % stride_ == 0) fresh_[kept++] = instant;
    fresh_.resize(kept);
    if (fresh_.empty()) return;
  }
  const auto late = std::lower_bound(instants_.begin(), instants_.end(), fresh_.front());
  const auto from = late - instants_.begin();
  instants_.insert(instants_.end(), fresh_.begin(), fresh_.end());
  fresh_.clear();
  std::sort(instants_.begin() + from, instants_.end());
  instants_.erase(std::unique(instants_.begin() + from, instants_.end()), instants_.end());
  while (instants_.size() > kMost) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < instants_.size(); i += 2) instants_[kept++] = instants_[i];
    instants_.resize(kept);
    stride_ *= 2;
  }
}

double TimeScale::place_of(std::uint64_t instant, Kind kind) const {
  if (kind == Kind::Clock || instants_.empty()) return static_cast<double>(instant);
  const auto stride = static_cast<double>(stride_);
  if (instant <= instants_.front()) return 0;
  const auto after = std::upper_bound(instants_.begin(), instants_.end(), instant);
  const auto step = static_cast<double>(after - instants_.begin() - 1);
  if (after == instants_.end()) return step * stride;
  const std::uint64_t before = *(after - 1);
  return (step + static_cast<double>(instant - before) / static_cast<double>(*after - before)) * stride;
}

std::uint64_t TimeScale::instant_at(double place, Kind kind) const {
  if (kind == Kind::Clock || instants_.empty())
    return place <= 0 ? 0 : static_cast<std::uint64_t>(std::llround(place));
  const double step = place / static_cast<double>(stride_);
  if (step <= 0) return instants_.front();
  const auto whole = static_cast<std::size_t>(step);
  if (whole + 1 >= instants_.size()) return instants_.back();
  const auto apart = static_cast<double>(instants_[whole + 1] - instants_[whole]);
  return instants_[whole] +
         static_cast<std::uint64_t>(std::llround((step - static_cast<double>(whole)) * apart));
}

}  // namespace lab

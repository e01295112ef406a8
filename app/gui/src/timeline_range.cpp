// SPDX-License-Identifier: MIT
// See timeline_range.hpp.
#include "timeline_range.hpp"

#include <algorithm>

namespace gui {
namespace {

constexpr double kFewestSteps = 3, kShortest = 200;  // ns
constexpr double kBeyondEnds = 0.015;                // of all of it, at both ends
constexpr double kInside = 0.1;                      // what is brought into view keeps away from the edge

}  // namespace

TimelineRange::Ends TimelineRange::all(const lab::TimeScale& scale) const {
  Ends ends{scale.place_of(scale.first(), kind_), scale.place_of(scale.last(), kind_)};
  const double least = kind_ == Kind::Steps ? kFewestSteps : kShortest;
  ends.to = std::max(ends.to, ends.from + least);
  return ends;
}

TimelineRange::Ends TimelineRange::ends(const lab::TimeScale& scale) const {
  if (zoomed_) {
    const Ends ends{scale.place_of(from_, kind_), scale.place_of(to_, kind_)};
    if (ends.wide() > 0) return ends;
  }
  Ends ends = all(scale);
  const double margin = ends.wide() * kBeyondEnds;
  return {ends.from - margin, ends.to + margin};
}

void TimelineRange::set(const lab::TimeScale& scale, Ends wanted) {
  const Ends whole = all(scale);
  const double least = std::min(whole.wide(), kind_ == Kind::Steps ? kFewestSteps : kShortest);
  if (wanted.wide() >= whole.wide()) return fit();
  if (wanted.wide() < least) {
    const double middle = (wanted.from + wanted.to) / 2;
    wanted = {middle - least / 2, middle + least / 2};
  }
  const double wide = wanted.wide();
  wanted.from = std::clamp(wanted.from, whole.from, whole.to - wide);
  wanted.to = wanted.from + wide;
  from_ = scale.instant_at(wanted.from, kind_);
  to_ = std::max(from_ + 1, scale.instant_at(wanted.to, kind_));
  zoomed_ = true;
}

void TimelineRange::zoom(const lab::TimeScale& scale, double by, double part) {
  const Ends now = ends(scale);
  const double stays = now.from + now.wide() * part, wide = now.wide() / by;
  set(scale, {stays - wide * part, stays + wide * (1 - part)});
}

double TimelineRange::shown(const lab::TimeScale& scale) const {
  return std::min(1.0, ends(scale).wide() / all(scale).wide());
}

void TimelineRange::move(const lab::TimeScale& scale, double parts) {
  if (!zoomed_) return;
  const Ends now = ends(scale);
  set(scale, {now.from + now.wide() * parts, now.to + now.wide() * parts});
}

void TimelineRange::show(const lab::TimeScale& scale, std::uint64_t instant) {
  if (!zoomed_) return;
  const double part = part_of(scale, instant);
  if (part >= 0 && part <= 1) return;
  // From far away into the middle; else just inside.
  const double to = part < -1 || part > 2 ? 0.5 : part < 0 ? kInside : 1 - kInside;
  move(scale, part - to);
}

void TimelineRange::show(const lab::TimeScale& scale, std::uint64_t from, std::uint64_t to) {
  const Ends wanted{scale.place_of(from, kind_), scale.place_of(to, kind_)};
  const double margin = std::max(wanted.wide(), kind_ == Kind::Steps ? 1.0 : kShortest) * kInside;
  set(scale, {wanted.from - margin, wanted.to + margin});
}

double TimelineRange::part_of(const lab::TimeScale& scale, std::uint64_t instant) const {
  const Ends now = ends(scale);
  return (scale.place_of(instant, kind_) - now.from) / now.wide();
}

std::uint64_t TimelineRange::instant_at(const lab::TimeScale& scale, double part) const {
  const Ends now = ends(scale);
  return scale.instant_at(now.from + now.wide() * part, kind_);
}

void TimelineRange::edges(const lab::TimeScale& scale, std::size_t width,
                          std::vector<std::uint64_t>& out) const {
  const Ends now = ends(scale);
  const double each = now.wide() / static_cast<double>(std::max<std::size_t>(width, 1));
  out.clear();
  for (std::size_t i = 0; i <= width; ++i)
    out.push_back(scale.instant_at(now.from + each * static_cast<double>(i), kind_));
  // Instants are whole nanoseconds, and what ends at the last one is within the margin.
  if (!zoomed_ && !out.empty()) out.back() = std::max(out.back(), scale.last() + 1);
}

}  // namespace gui

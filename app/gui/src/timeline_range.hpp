// SPDX-License-Identifier: MIT
// Which part of a run the timeline shows: all of it, or what was zoomed to. Pure arithmetic; instants stay
// where they are while a run grows.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "lab/time_scale.hpp"

namespace gui {

class TimelineRange {
 public:
  using Kind = lab::TimeScale::Kind;

  Kind kind() const { return kind_; }
  void set_kind(Kind kind) { kind_ = kind; }
  bool fits() const { return !zoomed_; }
  void fit() { zoomed_ = false; }
  // Above 1: closer. The instant at this part of the width, 0 to 1, stays where it is.
  void zoom(const lab::TimeScale& scale, double by, double part);
  double shown(const lab::TimeScale& scale) const;                // how much of the run: 1 is all of it
  void move(const lab::TimeScale& scale, double parts);           // of the width; above 0: later
  void show(const lab::TimeScale& scale, std::uint64_t instant);  // moves no further than needed
  void show(const lab::TimeScale& scale, std::uint64_t from, std::uint64_t to);

  // At the left and the right edge, in the scale's places.
  struct Ends {
    double from = 0, to = 1;
    double wide() const { return to - from; }
  };
  Ends ends(const lab::TimeScale& scale) const;
  // From 0 at the left edge to 1 at the right one; beyond them outside.
  double part_of(const lab::TimeScale& scale, std::uint64_t instant) const;
  std::uint64_t instant_at(const lab::TimeScale& scale, double part) const;
  // The instants at which `width` pixels begin, and the end of the last.
  void edges(const lab::TimeScale& scale, std::size_t width, std::vector<std::uint64_t>& out) const;

 private:
  Ends all(const lab::TimeScale& scale) const;
  void set(const lab::TimeScale& scale, Ends ends);

  Kind kind_ = Kind::Steps;
  bool zoomed_ = false;
  std::uint64_t from_ = 0, to_ = 0;
};

}  // namespace gui

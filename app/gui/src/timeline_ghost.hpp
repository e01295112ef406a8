// SPDX-License-Identifier: MIT
// The run before in the lanes of the timeline: where a thread parts from it, and the calls that it made from
// there on.
//
// By the clock they are as far from the fork as they were in their own run. In even steps a call that both
// runs make is below its namesake, and what only the run before made lies between. Found again only when the
// comparison, the timeline or the kind of its scale changes.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "lab/timeline.hpp"
#include "timeline_range.hpp"
#include "view.hpp"

namespace gui {

class TimelineGhost {
 public:
  static constexpr float kRow = 11;  // height of a ghost below the calls of its thread, at 100 %

  void follow(const Frame& frame, const lab::Timeline& timeline, TimelineRange::Kind kind);
  bool is_of(const lab::ThreadLane& lane) const { return lane_of(lane) != nullptr; }
  // What is drawn where: `x_of` gives the place of an instant; `edges` are the instants of the pixels from
  // `left` on.
  struct Place {
    float left = 0, right = 0;
    float calls_bottom = 0, top = 0, bottom = 0;  // of the lowest row of calls; of the ghost
  };
  template <class XOf>
  void draw(const Frame& frame, const lab::ThreadLane& lane, const Place& place,
            const std::vector<std::uint64_t>& edges, const XOf& x_of) {
    if (const Lane* const ghost = lane_of(lane)) draw(frame, *ghost, place, edges, x_of(ghost->parts));
  }
  void begin_frame() { drawn_.clear(); }
  // The call of the run before under the mouse, as an event of that run; of several the first.
  std::optional<std::size_t> at(ImVec2 mouse) const;

 private:
  struct Lane {
    std::uint32_t thread = 0;
    std::uint64_t parts = 0;  // when the last call was over that both runs have
    lab::TimelineRow calls;   // a span is an event of the run before
  };
  struct Key {
    const lab::Ghost* ghost = nullptr;
    std::uint64_t run = 0, revision = 0;
    TimelineRange::Kind kind = TimelineRange::Kind::Steps;
    bool operator==(const Key&) const = default;
  };
  struct Drawn {
    const Lane* lane = nullptr;
    ImVec2 from, to;
    std::vector<lab::Stretch> stretches;
  };
  const Lane* lane_of(const lab::ThreadLane& lane) const;
  void draw(const Frame& frame, const Lane& lane, const Place& place, const std::vector<std::uint64_t>& edges,
            float parts);

  Key key_;
  std::vector<Lane> lanes_;
  std::vector<Drawn> drawn_;  // in this frame
};

}  // namespace gui

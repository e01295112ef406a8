// SPDX-License-Identifier: MIT
// The lanes of the timeline: where each lies, what is drawn in it, and what is under the mouse.
//
// What a row shows is found once and kept until the part of the run that is shown, or the run itself,
// changes: in all other frames it is only drawn. Changes nothing outside of itself; view_timeline.cpp has the
// buttons, the keys and the mouse.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "lab/timeline.hpp"
#include "timeline_ghost.hpp"
#include "timeline_range.hpp"
#include "trace/live.hpp"
#include "view.hpp"

namespace gui {

// What the mouse is at.
struct TimelineHit {
  bool work = false;  // of a stream; else calls of a thread
  std::uint32_t lane = 0, first = 0, count = 1;
  std::uint32_t item = 0;  // of work: StreamLane::items
  std::size_t event = 0;   // of the first call, or of the call that enqueued the work
};

class TimelineLanes {
 public:
  // Where the lanes are drawn: names at the left of `left`, time from there to `right`.
  struct Place {
    float x = 0, left = 0, right = 0, top = 0, bottom = 0;
    float stretched = 1;  // rows are so much higher where there is room
    float scrolled = 0;   // how much of the lanes is above `top`
  };

  // First in each frame: the run before takes room, too.
  void follow(const Frame& frame, const lab::Timeline& timeline, const TimelineRange& range) {
    ghost_.follow(frame, timeline, range.kind());
  }
  void draw(const Frame& frame, const lab::Timeline& timeline, const TimelineRange& range,
            const Place& place);
  float height(const Frame& frame, const lab::Timeline& timeline) const;  // of all lanes
  // What is drawn how, before `right`; nothing where it finds no room after `left`.
  static void draw_legend(const Frame& frame, float left, float right, float top, float high);
  std::optional<TimelineHit> at(ImVec2 mouse) const;  // where it was drawn last
  // The call of the run before there, as an event of that run.
  std::optional<std::size_t> ghost_at(ImVec2 mouse) const { return ghost_.at(mouse); }
  std::optional<ImVec2> place_of_work() const;  // of the first of a stream
  static std::string words_of(const Frame& frame, const lab::TimelineWork& work);
  void forget() { rows_.clear(), key_ = {}; }

 private:
  enum class Fate : std::uint8_t { Good, Expected, Failed };
  struct Bar {
    lab::Stretch at;
    std::string_view name;  // of a single call
    trace::Purpose purpose = trace::Purpose::Other;
    Fate fate = Fate::Good;
  };
  struct Row {  // as it lies on the screen
    const std::vector<Bar>* bars = nullptr;
    bool work = false;
    std::uint32_t lane = 0, row = 0;
    float top = 0, bottom = 0;
  };
  struct Key {
    std::uint64_t revision = ~std::uint64_t{0}, run = 0, from = 0, to = 0;
    std::size_t width = 0;
    TimelineRange::Kind kind = TimelineRange::Kind::Steps;
    bool operator==(const Key&) const = default;
  };

  void find(const Frame& frame, const lab::Timeline& timeline, const TimelineRange& range, std::size_t width);
  const std::vector<Bar>& bars(const Frame& frame, const lab::TimelineRow& row, std::uint64_t id, bool work);
  Fate fate_of(const Frame& frame, const lab::TimelineRow& row, const lab::Stretch& at);
  void draw_threads(const Frame& frame, const lab::Timeline& timeline, float& y);
  void draw_streams(const Frame& frame, const lab::Timeline& timeline, float& y);
  void draw_name(const Frame& frame, float y, float high, std::string_view name, std::string_view more) const;
  void draw_head(const Frame& frame, float& y, std::string_view words) const;
  void draw_calls(const Frame& frame, const Row& row) const;
  void draw_pending(const Frame& frame, const trace::Event& call, float y, float each) const;
  void draw_failures(const Frame& frame, const Row& row) const;
  void draw_work(const Frame& frame, const lab::StreamLane& lane, const Row& row) const;
  // `free`: where the next item of the row begins.
  void draw_item(const Frame& frame, const lab::TimelineWork& work, const Row& row, float from, float to,
                 float free) const;
  void draw_links(const Frame& frame, const lab::Timeline& timeline) const;
  void draw_bracket(const Frame& frame, const lab::Timeline& timeline) const;
  float x_of(std::uint64_t instant) const;
  bool is_visible(float top, float bottom) const { return bottom > place_.top && top < place_.bottom; }

  Key key_;
  std::vector<std::uint64_t> edges_;
  std::unordered_map<std::uint64_t, std::vector<Bar>> rows_;
  std::vector<lab::Stretch> stretches_;
  TimelineGhost ghost_;
  std::size_t asked_ = 0;  // whether failures were expected, in this frame

  // Of the last draw().
  Place place_;
  std::vector<Row> drawn_;
  std::vector<trace::Pending> pending_;              // calls that have not returned
  std::vector<float> stream_tops_, stream_bottoms_;  // by lane; 0: not drawn
  const lab::Timeline* timeline_ = nullptr;
  const TimelineRange* range_ = nullptr;
};

}  // namespace gui

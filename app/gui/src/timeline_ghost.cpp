// SPDX-License-Identifier: MIT
// See timeline_ghost.hpp.
#include "timeline_ghost.hpp"

#include <algorithm>
#include <string>

namespace gui {
namespace {

using RangeKind = TimelineRange::Kind;

// The two runs of a fork, and the places of the run before in the time of the shown one.
struct Fork {
  const trace::Store& mine;
  const trace::Store& theirs;
  const lab::RunPair& pair;
  const lab::TimeScale& scale;
  const lab::Divergence& first;

  // The top-level calls that the thread made from the fork on, as events.
  std::vector<std::size_t> calls() const {
    std::vector<std::size_t> events;
    if (!first.event_b) return events;
    for (std::size_t call = theirs.calls_before(*first.event_b); call < theirs.calls(); ++call) {
      const std::size_t event = theirs.event_of_call(call);
      if (theirs.thread_at(event) == first.thread && theirs.depth_at(event) == 0) events.push_back(event);
    }
    return events;
  }
  void by_the_clock(std::uint64_t parts, lab::TimelineRow& row) const {
    const std::uint64_t there = theirs.time_at(*first.event_b);
    const std::uint64_t here = first.event_a ? mine.time_at(*first.event_a) : parts;
    for (const std::size_t event : calls()) {
      const std::uint64_t begin = here + (theirs.time_at(event) - std::min(there, theirs.time_at(event)));
      row.add(begin, begin + theirs.duration_at(event), static_cast<std::uint32_t>(event));
    }
  }
  void in_steps(std::uint64_t parts, lab::TimelineRow& row) const {
    std::vector<std::size_t> alone;  // calls that only the run before has, since the last that both have
    std::uint64_t over = parts;
    const auto place_alone = [&](std::uint64_t until) {
      const double from = scale.place_of(over, RangeKind::Steps),
                   to = scale.place_of(until, RangeKind::Steps);
      const double each = (to - from) / static_cast<double>(std::max<std::size_t>(alone.size(), 1));
      for (std::size_t i = 0; i < alone.size(); ++i) {
        const double begin = from + each * static_cast<double>(i);
        row.add(scale.instant_at(begin + each * 0.1, RangeKind::Steps),
                scale.instant_at(begin + each * 0.9, RangeKind::Steps), static_cast<std::uint32_t>(alone[i]));
      }
      alone.clear();
    };
    for (const std::size_t event : calls()) {
      const auto partner = pair.partner(lab::Side::Second, theirs.calls_before(event));
      if (!partner) {
        alone.push_back(event);
        continue;
      }
      const std::size_t same = mine.event_of_call(*partner);
      place_alone(std::max(over, mine.time_at(same)));
      over = mine.time_at(same) + mine.duration_at(same);
      row.add(mine.time_at(same), over, static_cast<std::uint32_t>(event));
    }
    place_alone(std::max(over, scale.last()));
  }
};

// When the last call before the fork was over; for the first call of all, when it began.
std::uint64_t parting(const lab::ThreadLane& lane, const trace::Store& store, const lab::Divergence& first) {
  if (lane.rows.empty() || lane.rows.front().size() == 0) return 0;
  const lab::TimelineRow& calls = lane.rows.front();
  if (!first.event_a) return calls.end(calls.size() - 1);
  const std::uint64_t begins = store.time_at(*first.event_a);
  std::size_t before = calls.first_ending_after(begins);
  while (before > 0 && calls.begin(before - 1) >= begins) --before;
  return before == 0 ? begins : calls.end(before - 1);
}

}  // namespace

void TimelineGhost::follow(const Frame& frame, const lab::Timeline& timeline, RangeKind kind) {
  // Once the whole run is in the lanes: until then its revision changes with each frame.
  const bool whole = timeline.events() >= frame.bench.store().size();
  const Key key{frame.ghost && whole ? frame.bench.ghost() : nullptr, frame.run, timeline.revision(), kind};
  if (key == key_) return;
  key_ = key;
  lanes_.clear();
  drawn_.clear();
  const auto other = frame.bench.other();
  const lab::RunPair* const pair = frame.bench.pair();
  if (key.ghost == nullptr || pair == nullptr || !other) return;
  for (const lab::Divergence& first : pair->comparison().forks)
    for (const lab::ThreadLane& thread : timeline.threads()) {
      if (thread.thread != first.thread || thread.process != 0) continue;
      Lane lane;
      lane.thread = first.thread;
      lane.parts = parting(thread, frame.bench.store(), first);
      const Fork fork{frame.bench.store(), *other->store, *pair, timeline.scale(), first};
      if (first.event_b && kind == RangeKind::Clock)
        fork.by_the_clock(lane.parts, lane.calls);
      else if (first.event_b)
        fork.in_steps(lane.parts, lane.calls);
      lanes_.push_back(std::move(lane));
    }
}

const TimelineGhost::Lane* TimelineGhost::lane_of(const lab::ThreadLane& lane) const {
  for (const Lane& ghost : lanes_)
    if (ghost.thread == lane.thread && lane.process == 0) return &ghost;
  return nullptr;
}

// From a ring at the fork down to a rail, and on it an outline for each call.
void TimelineGhost::draw(const Frame& frame, const Lane& lane, const Place& place,
                         const std::vector<std::uint64_t>& edges, float parts) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 grey = frame.theme[Role::Muted], faint = mix(frame.theme[Role::Panel], grey, 0.6f);
  const float middle = (place.top + place.bottom) / 2, thin = std::max(1.0f, frame.px(1.2f));
  Drawn drawn{&lane, {place.left, place.top}, {place.right, place.bottom}, {}};
  lane.calls.stretches(edges, drawn.stretches);
  float end = parts + frame.px(10);
  if (!drawn.stretches.empty())
    end = std::max(end, place.left + static_cast<float>(drawn.stretches.back().to));
  list->PushClipRect({place.left - frame.px(3), place.calls_bottom - frame.px(8)},
                     {place.right, place.bottom + frame.px(1)}, true);
  const float bend = parts + frame.px(8);
  list->AddBezierCubic({parts, place.calls_bottom - frame.px(2)}, {parts, middle}, {parts, middle},
                       {bend, middle}, grey, frame.px(1.5f));
  list->AddLine({bend, middle}, {std::max(end, bend), middle}, faint, thin);
  for (const lab::Stretch& stretch : drawn.stretches) {
    const ImVec2 from{place.left + static_cast<float>(stretch.from), place.top},
        to{std::max(place.left + static_cast<float>(stretch.to), from.x + 2), place.bottom};
    list->AddRectFilled(from, to, frame.theme[Role::Panel]);
    list->AddRect(from, to, faint, 0, 0, thin);
  }
  list->AddCircleFilled({parts, place.calls_bottom - frame.px(2)}, frame.px(3), frame.theme[Role::Panel], 12);
  list->AddCircle({parts, place.calls_bottom - frame.px(2)}, frame.px(3), grey, 12, frame.px(1.5f));
  list->PopClipRect();
  if (frame.places != nullptr && !drawn.stretches.empty()) {
    const lab::Stretch& first = drawn.stretches.front();
    (*frame.places)["timeline ghost of thread " + std::to_string(lane.thread)] = {
        place.left + static_cast<float>(first.from + first.to) / 2, middle};
  }
  drawn_.push_back(std::move(drawn));
}

std::optional<std::size_t> TimelineGhost::at(ImVec2 mouse) const {
  for (const Drawn& drawn : drawn_) {
    if (mouse.x < drawn.from.x || mouse.x >= drawn.to.x || mouse.y < drawn.from.y || mouse.y >= drawn.to.y)
      continue;
    const auto pixel = static_cast<std::uint32_t>(mouse.x - drawn.from.x);
    for (const lab::Stretch& stretch : drawn.stretches)
      if (pixel >= stretch.from && pixel <= stretch.to) return drawn.lane->calls.what(stretch.first);
  }
  return std::nullopt;
}

}  // namespace gui

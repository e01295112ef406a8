// SPDX-License-Identifier: MIT
// See layout.hpp. Every length is given at 100 % and scaled; rounding happens at the edges, so that
// neighbours share them exactly.
#include "layout.hpp"

#include <algorithm>
#include <cmath>

namespace gui {
namespace {

constexpr float kBar = 52, kPanelGap = 12, kTabStrip = 40, kTimeStrip = 64, kForkLine = 18;
constexpr float kWideAt = 1400, kTabsAt = 760;  // widths at 100 % from which an arrangement fits
constexpr float kLowAt = 640;                   // a window below this height has narrower gaps
constexpr float kNarrowGap = 8;
constexpr float kLowestCalls = 192;  // time, the head and three rows
constexpr float kLowestLanes = 130;  // the ruler and some lanes
constexpr float kSixCalls = 192;     // the head and six rows of a narrow list
constexpr float kLowestPicture = 160;
constexpr float kLowestStep = 56;  // two lines of its text
constexpr float kLowestCode = 88, kLowestCodeAboveOutput = 120;

Rect rect(float left, float top, float right, float bottom) {
  const float x = std::round(left), y = std::round(top);
  return {x, y, std::max(0.0f, std::round(right) - x), std::max(0.0f, std::round(bottom) - y)};
}

void place_bottom(Layout& layout, float left, float right, float top, float bottom, float strip, float scale,
                  float lanes) {
  layout.bottom = rect(left, top, right, bottom);
  const float time = std::min(strip, layout.bottom.h * 0.6f);
  const float edge = std::min(top + time + lanes, bottom);
  layout.time = rect(left, top, right, top + time);
  layout.calls = rect(left, edge, right, bottom);
  if (lanes <= 0) return;
  layout.lanes = rect(left, top + time, right, edge);
  const float grip = 4 * scale;
  layout.split_lanes = rect(left, edge - grip, right, edge + grip);
}

// The code above, the program's output below; the output is left out if the column is too low for both.
void place_code(Layout& layout, Rect column, float scale, float fraction) {
  const float output = std::max(column.h * fraction, 92 * scale);
  layout.show_output = column.h - output >= kLowestCodeAboveOutput * scale;
  if (!layout.show_output) {
    layout.code = column;
    layout.output = {};
    return;
  }
  const float edge = column.bottom() - output;
  layout.code = rect(column.x, column.y, column.right(), edge);
  layout.output = rect(column.x, edge, column.right(), column.bottom());
  const float grip = 4 * scale;
  layout.split_output = rect(column.x, edge - grip, column.right(), edge + grip);
}

// The current step's text, the code and the program's output, one below the other. Where not all of it has
// room, the output is left out first, then the step.
void place_code_below_step(Layout& layout, Rect column, float scale, const Splits& splits, bool step) {
  const float lowest = kLowestStep * scale, most = column.h - kLowestCode * scale;
  if (step && most >= lowest) {
    const float edge = column.y + std::clamp(column.h * splits.step, lowest, most);
    layout.step = rect(column.x, column.y, column.right(), edge);
    column = rect(column.x, edge, column.right(), column.bottom());
    const float grip = 4 * scale;
    layout.split_step = rect(column.x, edge - grip, column.right(), edge + grip);
  }
  place_code(layout, column, scale, splits.output);
}

float strip_of_time(float scale, Shown shown) {
  return (kTimeStrip + (shown.fork ? kForkLine : 0)) * scale;
}

// How high the timeline is in so much height below the bar.
float lanes_height(float free, float scale, const Splits& splits) {
  return splits.lanes <= 0 ? 0 : std::max(free * splits.lanes, std::min(kLowestLanes * scale, free * 0.3f));
}

// Time and calls across the whole window. Returns what is left above them.
Rect place_calls_below(Layout& layout, const Rect& room, float gap, float scale, const Splits& splits,
                       Shown shown) {
  const float free = room.h - gap, strip = strip_of_time(scale, shown);
  const float lowest = kLowestCalls * scale + strip - strip_of_time(scale, {});
  float lower = std::clamp(free * splits.bottom, std::min(lowest, free * 0.4f), free * 0.7f);
  // The timeline takes its height from the panels above, and from the calls where those would be too low.
  const float lanes = lanes_height(free, scale, splits);
  lower = std::min(lower + lanes, free * 0.72f);
  const float upper_end = room.bottom() - lower - gap;
  place_bottom(layout, room.x, room.right(), upper_end + gap, room.bottom(), strip, scale, lanes);
  layout.split_bottom = rect(room.x, upper_end, room.right(), upper_end + gap);
  return rect(room.x, room.y, room.right(), upper_end);
}

void place_wide(Layout& layout, const Rect& room, float gap, float scale, const Splits& splits, Shown shown) {
  const float notes = room.w * splits.notes;
  const float picture = room.w * (splits.picture + (shown.notes ? 0 : splits.notes));
  layout.picture = rect(room.right() - picture, room.y, room.right(), room.bottom());
  layout.split_picture = rect(layout.picture.x - gap, room.y, layout.picture.x, room.bottom());
  float column_left = room.x;
  if (shown.notes) {
    layout.notes = rect(room.x, room.y, room.x + notes, room.bottom());
    layout.split_notes = rect(layout.notes.right(), room.y, layout.notes.right() + gap, room.bottom());
    column_left = layout.split_notes.right();
  }
  const Rect column = rect(column_left, room.y, layout.split_picture.x, room.bottom());
  place_code(layout, column, scale, splits.output);
  if (!shown.code) layout.output = column, layout.show_output = true, layout.code = layout.split_output = {};
}

// Two columns, so that the code has the height that the calls do not need the width of; below both the time.
void place_tabs(Layout& layout, const Rect& room, float gap, float scale, const Splits& splits, Shown shown) {
  const float free = room.h - gap, time = std::min(strip_of_time(scale, shown), free * 0.3f);
  const float lower = std::min(time + lanes_height(free, scale, splits), free * 0.5f);
  const float end = room.bottom() - lower - gap;
  layout.bottom = rect(room.x, end + gap, room.right(), room.bottom());
  layout.time = rect(room.x, end + gap, room.right(), end + gap + time);
  if (splits.lanes > 0) {
    layout.lanes = rect(room.x, layout.time.bottom(), room.right(), room.bottom());
    layout.split_lanes = rect(room.x, end, room.right(), end + gap);
  }

  const float picture = room.w * std::clamp(splits.picture * 1.25f, 0.3f, 0.62f);
  const float left = room.right() - picture, high = end - room.y - gap;
  const float six = std::min(kSixCalls * scale, std::max(high * 0.4f, high - kLowestPicture * scale));
  const float calls = std::clamp(high * splits.bottom, six, high * 0.7f);
  layout.picture = rect(left, room.y, room.right(), end - calls - gap);
  layout.calls = rect(left, end - calls, room.right(), end);
  layout.split_bottom = rect(left, layout.picture.bottom(), room.right(), layout.calls.y);
  layout.split_picture = rect(layout.picture.x - gap, room.y, layout.picture.x, end);

  const Rect column = rect(room.x, room.y, layout.split_picture.x, end);
  layout.tabs = rect(column.x, column.y, column.right(), column.y + std::min(kTabStrip * scale, column.h));
  layout.notes = rect(column.x, layout.tabs.bottom(), column.right(), column.bottom());
  place_code_below_step(layout, layout.notes, scale, splits, shown.notes);
}

void place_stacked(Layout& layout, const Rect& room, float scale, const Splits& splits, Shown shown) {
  layout.tabs = rect(room.x, room.y, room.right(), room.y + std::min(kTabStrip * scale, room.h));
  layout.notes = rect(room.x, layout.tabs.bottom(), room.right(), room.bottom());
  layout.picture = layout.notes;
  place_code_below_step(layout, layout.notes, scale, splits, shown.notes);
}

}  // namespace

Splits clamp_splits(Splits s) {
  const auto sane = [](float value, float low, float high, float normal) {
    return std::isfinite(value) ? std::clamp(value, low, high) : normal;
  };
  s.notes = sane(s.notes, 0.14f, 0.4f, 0.25f);
  s.picture = sane(s.picture, 0.2f, 0.55f, 0.37f);
  s.bottom = sane(s.bottom, 0.14f, 0.6f, 0.27f);
  s.output = sane(s.output, 0.1f, 0.7f, 0.2f);
  s.lanes = std::isfinite(s.lanes) && s.lanes > 0 ? std::clamp(s.lanes, 0.1f, 0.6f) : 0;
  s.step = sane(s.step, 0.1f, 0.6f, 0.3f);
  return s;
}

Layout arrange(float width, float height, float scale, const Splits& wanted, Shown shown) {
  const Splits splits = clamp_splits(wanted);
  width = std::max(width, 1.0f);
  height = std::max(height, 1.0f);
  Layout layout;
  layout.arrangement = width >= kWideAt * scale   ? Arrangement::Wide
                       : width >= kTabsAt * scale ? Arrangement::Tabs
                                                  : Arrangement::Stacked;
  const bool narrow_gaps = layout.arrangement != Arrangement::Wide && height < kLowAt * scale;
  const float gap = (narrow_gaps ? kNarrowGap : kPanelGap) * scale;
  layout.bar = rect(0, 0, width, std::min(kBar * scale, height * 0.25f));
  const float top = layout.bar.h + gap, left = gap, right = std::max(left, width - gap);
  const Rect room = rect(left, top, right, std::max(top, height - gap));
  if (layout.arrangement == Arrangement::Tabs)
    place_tabs(layout, room, gap, scale, splits, shown);
  else if (layout.arrangement == Arrangement::Wide)
    place_wide(layout, place_calls_below(layout, room, gap, scale, splits, shown), gap, scale, splits, shown);
  else
    place_stacked(layout, place_calls_below(layout, room, gap, scale, splits, shown), scale, splits, shown);
  return layout;
}

void fit_step(Layout& layout, float height) {
  const float spare = layout.step.h - std::round(height);
  if (spare <= 0) return;
  layout.step.h -= spare;
  layout.code.y -= spare, layout.code.h += spare;
  layout.split_step = {};  // where it ends, its text says
}

Rect take_from_column(Layout& layout, float height, float scale) {
  Rect &column = layout.notes, &step = layout.step;
  column.h -= height;
  layout.show_output = false;
  layout.output = layout.split_output = layout.split_step = {};
  step.h = std::min(step.h, std::round(column.h - kLowestCode * scale));
  if (step.h < kLowestStep * scale) step = {};
  const float top = step.h > 0 ? step.bottom() : column.y;
  layout.code = rect(column.x, top, column.right(), column.bottom());
  return {column.x, column.bottom(), column.w, height};
}

}  // namespace gui

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
constexpr float kLowest = 150;                  // a panel worth showing
constexpr float kLowestCalls = 192;             // time, the head and three rows
constexpr float kLowestLanes = 130;             // the ruler and some lanes

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
  layout.show_output = column.h - output >= kLowest * scale * 0.8f;
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
  return s;
}

Layout arrange(float width, float height, float scale, const Splits& wanted, Shown shown) {
  const Splits splits = clamp_splits(wanted);
  width = std::max(width, 1.0f);
  height = std::max(height, 1.0f);
  Layout layout;
  const float gap = kPanelGap * scale;
  const float bar = std::min(kBar * scale, height * 0.25f);
  layout.bar = rect(0, 0, width, bar);
  const float top = bar + gap, left = gap, right = std::max(left, width - gap);
  const float bottom = std::max(top, height - gap);

  const float free = bottom - top - gap;
  const float fork = shown.fork ? kForkLine * scale : 0;
  float lower =
      std::clamp(free * splits.bottom, std::min(kLowestCalls * scale + fork, free * 0.4f), free * 0.7f);
  // The timeline takes its height from the panels above, and from the calls where those would be too low.
  const float lanes =
      splits.lanes <= 0 ? 0 : std::max(free * splits.lanes, std::min(kLowestLanes * scale, free * 0.3f));
  lower = std::min(lower + lanes, free * 0.72f);
  const float upper_end = bottom - lower - gap;
  place_bottom(layout, left, right, upper_end + gap, bottom, kTimeStrip * scale + fork, scale, lanes);
  layout.split_bottom = rect(left, upper_end, right, upper_end + gap);

  const float across = right - left;
  if (width >= kWideAt * scale) {
    const float notes = across * splits.notes;
    const float picture = across * (splits.picture + (shown.notes ? 0 : splits.notes));
    layout.arrangement = Arrangement::Wide;
    layout.picture = rect(right - picture, top, right, upper_end);
    layout.split_picture = rect(layout.picture.x - gap, top, layout.picture.x, upper_end);
    float column_left = left;
    if (shown.notes) {
      layout.notes = rect(left, top, left + notes, upper_end);
      layout.split_notes = rect(layout.notes.right(), top, layout.notes.right() + gap, upper_end);
      column_left = layout.split_notes.right();
    }
    const Rect column = rect(column_left, top, layout.split_picture.x, upper_end);
    place_code(layout, column, scale, splits.output);
    if (!shown.code)
      layout.output = column, layout.show_output = true, layout.code = layout.split_output = {};
    return layout;
  }
  if (width >= kTabsAt * scale) {
    const float picture = across * std::clamp(splits.picture * 1.25f, 0.3f, 0.62f);
    layout.arrangement = Arrangement::Tabs;
    layout.picture = rect(right - picture, top, right, upper_end);
    layout.split_picture = rect(layout.picture.x - gap, top, layout.picture.x, upper_end);
    const Rect column = rect(left, top, layout.split_picture.x, upper_end);
    layout.tabs = rect(column.x, top, column.right(), top + std::min(kTabStrip * scale, column.h));
    layout.notes = rect(column.x, layout.tabs.bottom(), column.right(), upper_end);
    place_code(layout, layout.notes, scale, splits.output);
    return layout;
  }
  layout.arrangement = Arrangement::Stacked;
  const float strip = std::min(kTabStrip * scale, std::max(0.0f, upper_end - top));
  layout.tabs = rect(left, top, right, top + strip);
  layout.notes = rect(left, layout.tabs.bottom(), right, upper_end);
  layout.picture = layout.notes;
  place_code(layout, layout.notes, scale, splits.output);
  return layout;
}

}  // namespace gui

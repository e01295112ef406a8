// SPDX-License-Identifier: MIT
// Where the panels lie: pure arithmetic from the window's size and scale to rectangles.
//
// Three arrangements: Wide (notes, code and picture side by side, the calls below them), Tabs (notes and code
// share a place, and the calls are below the picture: small windows and large scales) and Stacked (everything
// above the calls shares one place: very large scales). Where notes and code share a place, the text of the
// current step has a strip of its own above the code. The user's splitters are fractions, so they are valid
// for any size. Does not depend on ImGui or on the panels' content.
#pragma once
#include <imgui.h>

namespace gui {

struct Rect {
  float x = 0, y = 0, w = 0, h = 0;
  float right() const { return x + w; }
  float bottom() const { return y + h; }
  ImVec2 from() const { return {x, y}; }
  ImVec2 to() const { return {x + w, y + h}; }
  bool holds(ImVec2 at) const { return at.x >= x && at.x < right() && at.y >= y && at.y < bottom(); }
};

// What the user dragged. Fractions of the free length of the axis.
struct Splits {
  float notes = 0.25f;    // of the width, if notes have a place of their own
  float picture = 0.37f;  // of the width
  float bottom = 0.27f;   // of the height below the bar
  float output = 0.20f;   // of the code column's height
  float lanes = 0;        // of the height below the bar: the timeline; 0: it is not shown
  float step = 0.3f;      // of the code column's height: the strip with the step's text
};

enum class Arrangement { Wide, Tabs, Stacked };

struct Layout {
  Arrangement arrangement = Arrangement::Wide;
  Rect bar;
  // Tabs: notes and code are the same place. Stacked: all but output are. Empty where there is nothing to
  // show.
  Rect notes, code, output, picture;
  Rect step;                // the current step's text, above the code; empty in Wide
  Rect tabs;                // the strip of the tabs; empty in Wide
  Rect time, lanes, calls;  // lanes: the timeline, empty where it is not shown
  Rect bottom;              // the panel of these three; in Tabs the calls have one of their own
  Rect split_notes, split_picture, split_bottom, split_output, split_step,
      split_lanes;  // bars to drag; empty where there is nothing to
  bool show_output = true;
};

// Which panels have something to show. A recording of a foreign program has no notes, and code only if it
// contains its sources: side by side, the picture then gets the width of the notes, and the output all of the
// code's column.
struct Shown {
  bool notes = true, code = true;
  bool fork = false;  // the strip of time has a line below it: why the run parts from the run before
};

Layout arrange(float width, float height, float scale, const Splits& splits, Shown shown = {});
// The strip of the step's text becomes no higher than its text: the code gets the rest.
void fit_step(Layout& layout, float height);
// In Tabs: the lowest part of the place that notes and code share is given to something else. The output
// gives way to it, then as much of the step as the code needs. Returns that part.
Rect take_from_column(Layout& layout, float height, float scale);
// Limits a fraction so that every panel has a sensible size.
Splits clamp_splits(Splits splits);

}  // namespace gui

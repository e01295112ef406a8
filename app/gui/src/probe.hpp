// SPDX-License-Identifier: MIT
// What tests that drive the window are told of a frame (DRIVERLAB_UI_STATE; tests/app/gui/window/README.md
// lists its values).
//
// Nothing else reads it, and without it nothing is drawn differently.
#pragma once
#include <imgui.h>

#include <map>
#include <string>

#include "text_log.hpp"

namespace gui {

// What is on the screen.
struct Watched {
  int lines = 0, column = 0, selected = 0, matches = 0,
      bracket = 0;                          // of the editor; bracket: line of the partner
  std::string line, kinds, badge, message;  // at its caret
  int current = 0, messages = 0;            // lines, 1-based; how many
  int rings = 0;                            // marks of the keyboard's place
  std::string stop;                         // the id of what the keyboard stands on
  int hits = 0;                             // of the search
  int listed = 0;                           // calls in the list, of those that are found or of all
  std::string notes_step, hint;             // the highlighted step in the notes; the hint that is open
  int marks = 0;                            // of calls that are looked for, in the timeline
  int timeline = 0;                         // how much of the run it shows, in thousandths; 0: hidden
  bool working = false;                     // the strip of long work is shown
};

struct Probe {
  bool on = false;
  std::map<std::string, ImVec2> places;  // centres of what can be pressed, by id
  Watched watched;
  TextLog* texts = nullptr;  // every text of the next frames with its box; null: none is noted

  void begin_frame() {
    places.clear();
    watched = {};
    if (texts != nullptr) texts->clear();
  }
};

}  // namespace gui

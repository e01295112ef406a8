// SPDX-License-Identifier: MIT
// The frame of whatever opens above the panels: a plain window of a given width. Always end it.
#pragma once
#include "view.hpp"

namespace gui {

bool begin_popup(Frame& frame, const char* id, ImVec2 at, float width, float most_height);
void end_popup();
void popup_heading(Frame& frame, std::string_view text);
struct PopupChoice {
  bool on = false, enabled = true, lit = false;  // on: the present one; lit: the one that Enter takes
};
// A choice in a list: text, and where it is not empty a muted second line. True when pressed.
bool popup_choice(Frame& frame, const char* id, std::string_view label, std::string_view second,
                  const PopupChoice& how);

}  // namespace gui

// SPDX-License-Identifier: MIT
// The frame of everything that opens above the panels: a plain window of a given width, its heading, and
// lists to choose from. Every begin_popup() is followed by an end_popup(). Their contents are in popups.cpp
// and similar files.
#pragma once
#include "view.hpp"

namespace gui {

// Keys::Own: it has a cursor of its own, so ImGui's keyboard navigation is off in it.
enum class Keys { OfImGui, Own };
bool begin_popup(Frame& frame, const char* id, ImVec2 at, float width, float most_height,
                 Keys keys = Keys::OfImGui);
void end_popup();
// Moves the cursor of a list as the key says; false: the key is not for a list.
bool walk(Key key, std::size_t& choice, std::size_t count);
void popup_heading(Frame& frame, std::string_view text);
// A muted paragraph, or one in another colour.
void popup_sentence(Frame& frame, std::string_view text, Role role = Role::Muted);
struct PopupChoice {
  bool on = false, enabled = true, lit = false;  // on: the present one; lit: the one that Enter chooses
  bool done = false, open = false;               // a check mark; a bar on the left edge
  std::string_view note = {};                    // to the right of the text
  Role note_role = Role::Good;
};
// A choice in a list: text, and where it is not empty a muted second line. True when pressed.
bool popup_choice(Frame& frame, const char* id, std::string_view label, std::string_view second,
                  const PopupChoice& how);

}  // namespace gui

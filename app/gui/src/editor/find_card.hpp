// SPDX-License-Identifier: MIT
// Find and replace in the editor: a card in its corner with one line or two, each edited like any other text.
//
// Enter goes on and Shift+Enter back; in the second line Enter replaces, and Alt+Enter replaces all. Tab
// changes lines, Escape closes. While it is open, places() are all places of the searched text in the text as
// it was at the last update(). The text belongs to the editor, which gives it to each call.
#pragma once
#include <imgui.h>

#include <string>
#include <utility>
#include <vector>

#include "editor/editing.hpp"
#include "layout.hpp"
#include "view.hpp"

namespace gui::editor {

class FindCard {
 public:
  void open(const Editing& editing, bool replacing);  // replacing: the second line is shown
  void close() { open_ = false; }
  bool is_open() const { return open_; }
  void handle(Frame& frame, Editing& editing, bool read_only);  // the keys of this frame
  void update(Editing& editing);                                // searches again where something changed
  // `visible` is the visible part of the editor.
  Rect place(const Frame& frame, const Rect& visible) const;
  void press(const Frame& frame, const Rect& visible, ImVec2 mouse);  // a click on the card
  void draw(Frame& frame, Editing& editing, const Rect& visible, bool read_only, bool focused);

  const std::vector<Position>& places() const { return places_; }
  int length() const { return static_cast<int>(needle_.size()); }  // of each of them, in bytes
  // True once after the caret was put somewhere else.
  bool take_moved() { return std::exchange(moved_, false); }

 private:
  static void handle_field(const KeyPress& press, Editing& field);
  static void draw_field(const Frame& frame, const Rect& row, const Editing& field, lab::Text name,
                         float room, bool caret, bool focused);
  void replace_one(Editing& editing);
  void replace_all(Editing& editing);
  void go_to_match(Editing& editing, int direction);

  bool open_ = false, replacing_ = false, moved_ = false;
  bool in_replacement_ = false;  // the second line has the caret
  Editing field_, replacement_;
  std::string needle_;
  std::vector<Position> places_;
  unsigned long revision_ = 0;
  int shown_ = -1;
};

}  // namespace gui::editor

// SPDX-License-Identifier: MIT
// A button with three lines that opens a menu, as for the columns of the list of calls.
//
// The button, a choice that says so, a click beside the menu and Escape close it. By key the menu opens on
// its first choice. What it holds is its owner's.
#pragma once
#include <functional>
#include <string_view>

#include "view.hpp"
#include "widgets.hpp"

namespace gui {

class ButtonMenu {
 public:
  // The menu's name among pop-ups and in key_stops.hpp; it has to outlive this.
  explicit ButtonMenu(const char* name) : name_(name) {}

  static ImVec2 size(const Frame& frame) { return button_size(frame, "", options({}, false)); }
  // The button with its upper left corner at a place, and the menu while it is open: `menu` is where, how
  // wide and at most how high. `choices` draws what is in it; true: the menu closes.
  void draw(Frame& frame, const char* id, ImVec2 at, std::string_view hint, const Rect& menu,
            const std::function<bool()>& choices);

 private:
  static ButtonOptions options(std::string_view hint, bool on);
  void draw_open(Frame& frame, const Rect& menu, const std::function<bool()>& choices);

  const char* name_;
  bool open_ = false;
};

}  // namespace gui

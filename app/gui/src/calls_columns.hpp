// SPDX-License-Identifier: MIT
// The columns of the list of calls: which are shown, what the list is sorted by, and the menu for both.
//
// What was chosen is kept in the settings. Knows no calls.
#pragma once
#include <array>
#include <optional>

#include "button_menu.hpp"
#include "lab/call_order.hpp"
#include "lab/settings.hpp"
#include "view.hpp"

namespace gui {

class CallsColumns {
 public:
  enum Column { Thread, Result, Stack, Time, Line };
  static constexpr std::size_t kColumns = 5;

  explicit CallsColumns(lab::Settings& settings) : settings_(settings) {}

  bool shown(Column column) const;
  lab::CallColumn by() const { return by_; }
  bool descending() const { return descending_; }
  void sort_as_before() { by_ = lab::CallColumn::Number, descending_ = false; }
  // A click on a head: one way, the other way, and as the calls were made.
  void sort_by(lab::CallColumn column);
  // The button at the right end of the heads, and what it opens. True: the list is to be copied.
  bool draw_menu(Frame& frame, ImVec2 right_middle);

 private:
  bool draw_choices(Frame& frame);

  lab::Settings& settings_;
  lab::CallColumn by_ = lab::CallColumn::Number;
  bool descending_ = false;
  ButtonMenu menu_{"calls columns"};
};

}  // namespace gui

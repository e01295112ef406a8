// SPDX-License-Identifier: MIT
// Which panel is where: the page that is in front where panels share a place, the panel that has the place of
// all, and the keyboard's way from one to the next.
//
// Notes and exercise always share a place; side by side they are the only ones. In a smaller window the code
// joins them, in the smallest the picture too (layout.hpp). A page of its own means: what is shown can be
// reached. Depends neither on ImGui nor on the panels.
#pragma once
#include <optional>
#include <string_view>
#include <vector>

#include "layout.hpp"
#include "view.hpp"

namespace gui {

enum class Tab { Notes, Code, Picture };
enum class Panel { None, Notes, Code, Picture, Bottom, Compare, Timeline, Presenter, Output };
// What shares a place, in the order in which it is shown.
struct Page {
  Tab tab = Tab::Notes;
  bool exercise = false;  // with Tab::Notes: in the notes' place
  bool operator==(const Page&) const = default;
};

std::string_view name_of(Tab tab);  // "notes", "code", "picture"; also the panel's in Selection::focus
std::optional<Tab> tab_named(std::string_view name);
// "notes", "code", "output", "picture", "time", "timeline", "calls", "presenter"; None for another name.
Panel panel_named(std::string_view name);

class Pages {
 public:
  Tab tab() const { return tab_; }
  void show(Tab tab) { tab_ = tab; }
  void show(const Page& page);
  // The exercise is in the notes' place, if there is one.
  bool exercise() const { return exercise_; }
  void show_exercise(bool on) { exercise_ = on; }
  Panel maximized() const { return maximized_; }
  void maximize(Panel panel) { maximized_ = panel; }
  Arrangement arrangement() const { return arrangement_; }
  Shown there() const { return there_; }

  // Each frame: which panels there are, how they are arranged, which is under the mouse.
  void follow(Shown there);
  void arrange(Arrangement arrangement, bool output) { arrangement_ = arrangement, output_ = output; }
  void point_at(Panel under_mouse) { under_mouse_ = under_mouse; }

  // `exercise`: the lesson has one.
  std::vector<Page> all(bool exercise) const;
  Page shown(bool exercise) const;
  void show_next(bool exercise, Selection& selection);
  // The notes of a place that was asked for: in front, and not behind another panel that has the place of
  // all.
  void show_notes();
  // The exercise, and the keyboard goes there.
  void show_exercise(Selection& selection);
  // Notes, code, output, picture, the strip of time, timeline, calls, the bar, and round again; what there is
  // of them. Where two share a place, both have their turn. Two runs side by side are left only by closing
  // them: beside them are the strip and the bar.
  enum class Towards { Next, Last };
  void move_focus(Selection& selection, Towards towards);
  // The one that F6 gave the keyboard to, else the one under the mouse, else the editor.
  Panel in_use(const Selection& selection) const;

 private:
  Tab tab_ = Tab::Notes;
  bool exercise_ = false;
  Panel maximized_ = Panel::None, under_mouse_ = Panel::None;
  Arrangement arrangement_ = Arrangement::Wide;  // at the last frame
  Shown there_;                                  // the same
  bool output_ = false;                          // the same: it has room for a panel
};

}  // namespace gui

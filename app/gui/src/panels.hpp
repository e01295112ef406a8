// SPDX-License-Identifier: MIT
// The panels: notes, exercise, the current step, code, picture, output, time, calls and two runs side by
// side, each drawn in its place.
//
// Where a panel is, layout.hpp and pages.hpp say; what it shows is its view's. A panel that is not drawn
// keeps the commands that are for it. The user's splitters are kept in the settings.
#pragma once
#include <memory>
#include <string_view>

#include "commands.hpp"
#include "lab/settings.hpp"
#include "pages.hpp"
#include "predict_card.hpp"
#include "presenter_walk.hpp"
#include "view.hpp"

namespace gui {

// Around a panel that F6 gave the keyboard to, while it stands on nothing in it.
void draw_panel_focus(const Frame& frame, std::string_view panel, const Rect& place);

class Panels {
 public:
  // Both must outlive it.
  Panels(Pages& pages, lab::Settings& settings);
  ~Panels();

  Splits splits() const;
  // `below_bar`: the height of what stands between the bar and the panels, in pixels.
  void draw(Frame& frame, const Layout& layout, float width, float height, float below_bar);
  void take(const Command& command);
  bool timeline_shown() const;
  void show_timeline(bool on);
  bool exercise_drawn() const { return exercise_drawn_; }  // in the last frame
  const PredictCard& predict_card() const { return predict_card_; }
  PresenterWalk& walk() { return walk_; }
  const PresenterWalk& walk() const { return walk_; }

 private:
  struct Views;

  void draw_all(Frame& frame, Layout& layout);
  void draw_maximized(Frame& frame, const Layout& layout, float below_bar);
  Rect draw_tabs(Frame& frame, const Layout& layout);  // returns the rest of the row
  void draw_code(Frame& frame, const Layout& layout, const Rect& row);
  void draw_timeline(Frame& frame, const Layout& layout);
  void draw_splitters(Frame& frame, const Layout& layout, float width, float height);
  void draw_side(Frame& frame, const Layout& layout);
  void draw_picture(Frame& frame, const Rect& place, float share);
  void draw_question(Frame& frame, const Rect& place);
  Rect place_of_picture(Frame& frame, const Layout& layout);
  Rect place_of_card(Frame& frame, Layout& layout);
  float measure_card(Frame& frame, const Rect& place, float share);
  void keep(const Splits& splits);

  Pages& pages_;
  lab::Settings& settings_;
  PredictCard predict_card_;
  PresenterWalk walk_;
  std::unique_ptr<Views> all_;
  bool exercise_drawn_ = false;
};

}  // namespace gui

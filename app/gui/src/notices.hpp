// SPDX-License-Identifier: MIT
// Notices about what was done: they need no reply, are shown above the list of calls for a while, and move
// nothing.
//
// The verdict of a check is one of them when it comes while the exercise is not to be seen; it is not told
// any more once it is.
#pragma once
#include <vector>

#include "layout.hpp"
#include "view.hpp"

namespace gui {

class Notices {
 public:
  void say(lab::Problem notice, lab::Language language);
  // Each frame: whether there is a verdict that is not to be seen.
  void follow(const lab::Workbench& bench, bool exercise_drawn);
  void forget_verdict() { verdict_untold_ = false; }
  void add_text(Fonts& fonts, lab::Language language) const;
  void draw(Frame& frame, const Layout& layout);
  const std::vector<lab::Problem>& said() const { return said_; }

 private:
  static void draw_verdict(Frame& frame, float width);

  std::vector<lab::Problem> said_;
  double since_ = -1;  // when the newest came; -1: at the next frame
  float height_ = 0;   // at the last frame that had some, in pixels
  bool verdict_seen_ = false, verdict_untold_ = false;
};

// At the foot of the window, above everything, while there is long work; it takes neither keys nor the mouse
// beside it.
void draw_work(Frame& frame, const Layout& layout);

}  // namespace gui

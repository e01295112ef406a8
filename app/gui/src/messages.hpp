// SPDX-License-Identifier: MIT
// The strip of problems below the bar: the window's own, and the workbench's.
//
// It lies between the bar and the panels, which move down by height(), so that it covers no button. Problems
// stay until the user dismisses them; of many, the newest three are shown.
#pragma once
#include <vector>

#include "layout.hpp"
#include "view.hpp"

namespace gui {

class Messages {
 public:
  void add(lab::Problem problem) { own_.push_back(std::move(problem)); }
  bool any(const lab::Workbench& bench) const { return !own_.empty() || !bench.problems().empty(); }
  void dismiss(lab::Workbench& bench);
  void draw(Frame& frame, const Layout& layout);
  float height() const { return height_; }  // in the frame before, in pixels
  const std::vector<lab::Problem>& own() const { return own_; }

 private:
  std::vector<lab::Problem> own_;
  float height_ = 0;
};

}  // namespace gui

// SPDX-License-Identifier: MIT
// The scroll position of a long list of equal rows, counted in rows.
//
// ImGui scrolls in pixels stored as floats, which are not exact to a pixel from half a million rows on; here
// a million rows scroll like ten. The arithmetic is pure; only draw() needs a frame. Does not depend on the
// contents of a row.
#pragma once
#include <algorithm>
#include <cmath>

#include "view.hpp"

namespace gui {

class RowScroll {
 public:
  // Once a frame, before anything else: how many rows there are and how many fit.
  void measure(double rows, double fitting) {
    rows_ = rows;
    fitting_ = std::max(fitting, 0.5);
    move_to(top_);
  }
  // The last screen may end with a blank part of a row, so that the row below the head is complete.
  void move_to(double top) { top_ = std::clamp(top, 0.0, std::max(0.0, std::ceil(rows_ - fitting_))); }
  void move_by(double rows) { move_to(top_ + rows); }
  // Makes a row visible, together with the one after it if both fit; `anew`: as if nothing was shown yet,
  // with the row low in the list, so that the same row always gives the same place.
  void show(double row, bool anew);

  double top() const { return top_; }  // of the first row, a fraction of it above the edge
  bool all_fit() const { return rows_ <= fitting_; }
  // The wheel over the current window, and a bar on its right edge.
  void draw(Frame& frame, const char* id);

 private:
  double rows_ = 0, fitting_ = 1, top_ = 0;
};

}  // namespace gui

// SPDX-License-Identifier: MIT
// Two texts line by line in one column: unchanged, removed (−) and added (+) lines. Read only.
//
// Keeps the difference until it gets other texts. Does not depend on lessons.
#pragma once
#include <string>
#include <vector>

#include "lab/text_difference.hpp"
#include "view.hpp"

namespace gui {

class DifferencePage {
 public:
  // Draws into the space that is left; true if it should be closed (Escape, or its button).
  bool draw(Frame& frame, const Selection::Compare& compare);

 private:
  void draw_line(const Frame& frame, ImVec2 at, float width, const lab::DifferenceLine& line) const;
  std::string before_, after_;
  std::vector<lab::DifferenceLine> lines_;
  bool known_ = false, any_ = false;
};

}  // namespace gui

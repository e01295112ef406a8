// SPDX-License-Identifier: MIT
// Two texts line by line in one column: unchanged, removed (−) and added (+) lines. Read only.
//
// The page keeps the difference until it gets other texts; comparison_of() says which texts they are.
#pragma once
#include <string>
#include <vector>

#include "lab/text_difference.hpp"
#include "view.hpp"

namespace gui {

// A file of the student's and its original, or the solution of the exercise, whose start is the file then.
Selection::Compare comparison_of(lab::Workbench& bench, lab::Language language, const std::string& file,
                                 Selection::Against against);

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

// SPDX-License-Identifier: MIT
// Where the student was: file, line, breakpoints and exercise of each lesson, kept in the settings, so that
// after the window was closed or killed, it opens in the same state.
//
// A recording has no place, and a picture drawn for a file (a shot) leaves none.
#pragma once
#include <vector>

#include "commands.hpp"
#include "lab/settings.hpp"
#include "pages.hpp"
#include "view.hpp"

namespace gui {

class KeptPlaces {
 public:
  // The first lesson that is shown comes with the run that was shown when the window was closed.
  void bring_back_run() { bring_back_run_ = true; }
  // When a lesson was opened, before its first frame. What panels have to do for it is added to `commands`.
  void return_to(lab::Workbench& bench, const lab::Settings& settings, Pages& pages, Selection& selection,
                 std::vector<Command>& commands);
  // At the end of a frame.
  static void remember(const lab::Workbench& bench, lab::Settings& settings, const Pages& pages,
                       const Selection& selection);

 private:
  bool bring_back_run_ = false;
};

}  // namespace gui

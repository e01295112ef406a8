// SPDX-License-Identifier: MIT
// The search in a picture: a field, what its words are found at in the moment that is shown, and which of
// these is looked at. picture_find.hpp says what words match.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "picture_run.hpp"
#include "text_field.hpp"

namespace gui::picture {

class Search {
 public:
  // Opens in the next frame, with the keyboard on it.
  void open_next() { wanted_open_ = true; }
  // A button's: opens it at once in the open window, or closes it.
  void toggle();
  bool is_open() const { return open_; }
  // What the reader looks at among what was found; none if nothing was.
  lab::ObjectId shown() const { return shown_; }
  // Of another run nothing is found yet; the next frame looks again.
  void forget(Frame& frame);

  // Takes this frame's keys and looks for the words. Enter goes to the next thing found, Shift Enter to the
  // one before, Escape closes it. Returns whether it went to a hit, which may lie behind a fold.
  bool take_keys(Frame& frame, const ShownRun& run);
  void draw(Frame& frame, ImVec2 at, ImVec2 size);

 private:
  void close();
  bool look(Frame& frame, const ShownRun& run);
  void go_to(std::size_t hit);

  bool wanted_open_ = false, open_ = false, focus_ = false;
  bool claims_ = false;  // the keys, from the next frame on
  TextField field_;
  std::string looked_for_;
  std::size_t looked_at_ = 0;  // the moment
  std::vector<lab::ObjectId> hits_;
  std::size_t hit_ = 0;
  lab::ObjectId shown_;
};

}  // namespace gui::picture

// SPDX-License-Identifier: MIT
// Words of the driver API that begin with what is being typed: a list below the caret, with what the chosen
// one means.
//
// It opens by itself while a word that begins with cu or CU is typed, and with Ctrl+Space for any beginning.
// Up and Down choose, Enter and Tab take the word, Escape closes. The words are the lab's (lab/api_help.hpp).
#pragma once
#include <vector>

#include "editor/editing.hpp"
#include "input.hpp"
#include "lab/api_help.hpp"
#include "layout.hpp"
#include "view.hpp"

namespace gui::editor {

class Completion {
 public:
  bool is_open() const { return !words_.empty(); }
  void ask(const Editing& editing, lab::Language language);  // Ctrl+Space
  // After the keys and the text of a frame. `typed`: text was typed in it.
  void follow(const Editing& editing, bool typed, lab::Language language);
  // True if the key was for the list.
  bool take(const KeyPress& press, Editing& editing);
  void close() { words_.clear(); }
  // A click; true if it was on the list.
  bool press(ImVec2 mouse, Editing& editing);
  // `line` is the caret's in the window, from the left end of its word on.
  void draw(const Frame& frame, const Rect& line, const Rect& visible);

  const std::vector<lab::ApiWord>& words() const { return words_; }
  std::size_t choice() const { return choice_; }
  Position from() const { return from_; }  // where the word begins

 private:
  void look(const Editing& editing, std::size_t at_least, lab::Language language);
  void accept(Editing& editing, std::size_t choice);

  std::vector<lab::ApiWord> words_;
  std::size_t choice_ = 0, first_ = 0;  // the chosen one, the first that is shown
  Position from_;
  Position caret_;
  unsigned long revision_ = 0;
  Rect rows_;  // as drawn last
  float row_ = 1;
};

}  // namespace gui::editor

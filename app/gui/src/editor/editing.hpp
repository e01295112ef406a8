// SPDX-License-Identifier: MIT
// What keys do to a buffer and a caret: typing, moving, deleting, indenting, commenting, finding.
//
// The editor widget (editor.hpp) turns key presses and the mouse into these. Does not depend on a window, so
// that each function can be tested by itself.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "editor/buffer.hpp"

namespace gui::editor {

enum class Extend { No, Yes };  // Yes: the selection grows, No: it collapses
enum class Move {
  Left,
  Right,
  WordLeft,
  WordRight,
  Up,
  Down,
  LineStart,
  LineEnd,
  PageUp,
  PageDown,
  Top,
  Bottom
};

inline constexpr int kIndent = 2;

class Editing {
 public:
  explicit Editing(std::string_view text = {}) : buffer(text) {}

  Buffer buffer;
  Caret caret;

  void move(Move where, Extend extend, int page_lines = 1);
  void place(Position at, Extend extend);  // a click
  void select_word(Position at);           // a double click
  void select_line(int line);              // a triple click
  void select_all();

  void type(std::string_view text);  // characters of the keyboard
  void paste(std::string_view text);
  void new_line();  // keeps the indentation, one more after a {
  void backspace(Extend whole_word = Extend::No);
  void delete_forward(Extend whole_word = Extend::No);
  void indent();          // Tab: spaces, or the selected lines
  void unindent();        // Shift+Tab
  void toggle_comment();  // Ctrl+/
  void duplicate_lines();
  bool undo();
  bool redo();
  std::string selected() const;
  std::string cut();

  // All places of `needle`; capitals matter only where the needle has some.
  std::vector<Position> find(std::string_view needle) const;
  // Replaces all of them as one change; returns how many there were.
  std::size_t replace_all(std::string_view needle, std::string_view with);

 private:
  Position vertical(Position from, int lines);
  void replace_selection(std::string_view text, Grouping grouping);
  struct LineRange {
    int first, last;
  };
  LineRange selected_lines() const;
  int wanted_column_ = -1;  // characters, while moving up and down
};

}  // namespace gui::editor

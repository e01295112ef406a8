// SPDX-License-Identifier: MIT
// One line of text to type into, for pop-ups. The owner gives it the key presses and says where it is drawn.
#pragma once
#include <optional>

#include "editor/editing.hpp"
#include "layout.hpp"
#include "widgets.hpp"

namespace gui {

// What becomes of a field that is a stop of the keyboard (key_stops.hpp): it takes the keys when it is
// clicked or the keyboard comes to it, and loses them when the keyboard goes on.
enum class FieldKeys { Stay, Taken, Lost };
FieldKeys field_stop(const Frame& frame, const char* id, const Rect& place, bool has_keys);

class TextField {
 public:
  std::string text() const { return line_.buffer.text(); }
  void select_all() { line_.select_all(); }
  void set(std::string_view text) {
    line_.select_all();
    if (text.empty()) line_.backspace(editor::Extend::No);
    type(text);
  }
  // True when the key was for the field.
  bool take(const KeyPress& press);
  void type(std::string_view typed);
  std::size_t caret() const { return static_cast<std::size_t>(line_.caret.head.column); }  // in bytes
  void replace(std::size_t begin, std::size_t end, std::string_view text);
  enum class Caret { Hidden, Shown };  // Hidden: the field has not got the keys
  void draw(Frame& frame, const Rect& place, std::string_view empty_words, std::optional<Icon> icon = {},
            Caret caret = Caret::Shown) const;

 private:
  editor::Editing line_;
};

}  // namespace gui

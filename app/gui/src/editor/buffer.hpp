// SPDX-License-Identifier: MIT
// The text being edited: lines, positions, replacements, and every change kept so that it can be undone.
//
// Only replace() changes text; everything else uses it, so undo cannot miss anything. The text is UTF-8. Does
// not depend on windows, files or C++.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace gui::editor {

// A place between characters: line and byte in the line, both 0-based, never inside a character.
struct Position {
  int line = 0, column = 0;
  auto operator<=>(const Position&) const = default;
};

// The caret and where the selection began; the same place when nothing is selected.
struct Caret {
  Position anchor, head;
  bool empty() const { return anchor == head; }
  Position first() const { return anchor < head ? anchor : head; }
  Position last() const { return anchor < head ? head : anchor; }
  bool operator==(const Caret&) const = default;
};
inline Caret caret_at(Position place) {
  return {place, place};
}

// Changes that the user undoes as one: typed characters are joined, a paste is separate.
enum class Grouping { Alone, WithTyping, WithDeleting };

class Buffer {
 public:
  explicit Buffer(std::string_view text = {});

  int lines() const { return static_cast<int>(lines_.size()); }
  const std::string& line(int index) const { return lines_[static_cast<std::size_t>(index)]; }
  std::string text() const;  // with its original line ends
  std::string text(Position from, Position to) const;
  Position end() const;

  Position clamp(Position place) const;  // inside the text, not inside a character
  Position left(Position place) const;
  Position right(Position place) const;
  Position word_left(Position place) const;
  Position word_right(Position place) const;

  // Replaces [from, to) by `text`. `before` is the caret that undo restores. Returns the place after the new
  // text.
  Position replace(Position from, Position to, std::string_view text, const Caret& before,
                   Grouping grouping = Grouping::Alone);
  // Between these, changes are undone together (a block of lines indented, say).
  void begin_group();
  void end_group();
  void close_group() { open_ = false; }  // the next change starts a group of its own

  // False when there is nothing to undo or redo; otherwise `caret` is where the user was.
  bool undo(Caret& caret);
  bool redo(Caret& caret);
  bool can_undo() const { return done_ > 0; }
  bool can_redo() const { return done_ < changes_.size(); }
  void forget_changes() { changes_.clear(), done_ = 0, open_ = false; }

  // Grows with every change; `first_changed` is the first line that has changed since the number was last
  // read.
  unsigned long revision() const { return revision_; }
  int take_first_changed();

 private:
  struct Change {
    Position at;
    std::string removed, inserted;
    Caret before, after;
    unsigned long group = 0;
    Grouping grouping = Grouping::Alone;
  };
  Position splice(Position from, Position to, std::string_view text);
  bool joins(const Change& change) const;

  std::vector<std::string> lines_{std::string()};
  std::string line_end_ = "\n";
  std::vector<Change> changes_;  // [0, done_) are in the text, the rest can be redone
  std::size_t done_ = 0;
  unsigned long group_ = 0, revision_ = 0;
  int depth_ = 0, first_changed_ = 0;
  bool open_ = false;
};

// The place after `text` if it is put at `at`.
Position place_behind(Position at, std::string_view text);

}  // namespace gui::editor

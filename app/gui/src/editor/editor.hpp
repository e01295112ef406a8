// SPDX-License-Identifier: MIT
// A code editor for this window: highlighting, gutter, selection, undo, find, and results of the run next to
// the lines.
//
// It draws itself into the space that it gets, and reads the frame's key presses while it has the focus. It
// works on lines and marks; it does not depend on lessons, builds or runs (view_code.cpp does).
#pragma once
#include <imgui.h>

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "editor/brackets.hpp"
#include "editor/completion.hpp"
#include "editor/editing.hpp"
#include "editor/find_card.hpp"
#include "editor/lexer.hpp"
#include "layout.hpp"
#include "view.hpp"

namespace gui::editor {

// Words at a line's end. A word may be a context's name, shown in its colour.
struct BadgeWord {
  std::string text;
  Role role = Role::Muted;
  bool context = false;
};
using Badge = std::vector<BadgeWord>;

struct Message {  // of the compiler
  bool error = true;
  std::string text;
  int column = 0;  // 0-based, bytes
};

// Lines are 0-based here.
struct Marks {
  int current = -1, next = -1;
  bool current_failed = false;
  bool stale = false;  // the badges belong to a run of another text: pale
  std::map<int, Badge> badges;
  std::map<int, Message> messages;
  std::set<int> breakpoints;
};

class Editor {
 public:
  // AsChange takes over the text as one change that can be undone. InPlace: the same lines in another
  // language, without an undo. Fresh forgets the earlier text.
  enum class Take { Fresh, AsChange, InPlace };
  void set_text(std::string_view text, Take take);
  std::string text() const { return editing_.buffer.text(); }

  // True when the user changed the text.
  bool draw(Frame& frame, const char* id, ImVec2 size, const Marks& marks, bool read_only);
  void show_line(int line);  // in the next frame, scrolled as little as possible
  void put_caret(Position at) { editing_.place(at, Extend::No), show_line(at.line); }
  void focus() { take_focus_ = true; }
  bool take_left() {
    return std::exchange(left_, false);
  }  // Escape was pressed, and nothing had a use for it
  void find() { find_.open(editing_, false), take_focus_ = true; }
  // The line whose breakpoint was toggled in this frame (a click next to the number, or Ctrl+B).
  std::optional<int> breakpoint_wanted() const { return breakpoint_wanted_; }
  int lines() const { return editing_.buffer.lines(); }
  Position caret() const { return editing_.caret.head; }
  void watch(Watched& watched) const;  // for tests: what is at the caret

 private:
  struct Metrics {
    float line = 0, space = 0, gutter = 0, left = 0;  // left: where text begins, from the window's edge
    ImVec2 origin;                                    // of line 0, column 0 of the text
    ImVec2 corner, size;                              // of the visible part
    int first = 0, last = 0;                          // visible lines
    Rect visible() const { return {corner.x, corner.y, size.x, size.y}; }
  };

  Metrics measure(const Frame& frame) const;
  void lex_until(int line);
  float x_of(const Frame& frame, const Metrics& m, int line, int column) const;
  Position position_at(const Frame& frame, const Metrics& m, ImVec2 mouse) const;

  void handle_mouse(Frame& frame, const Metrics& m);
  void handle_keys(Frame& frame, const Metrics& m, bool read_only);
  bool handle_move(const KeyPress& press, int page_lines);
  bool handle_control(const KeyPress& press, bool read_only);
  void handle_edit(const KeyPress& press);
  void scroll(const Frame& frame, const Metrics& m);

  void draw_backgrounds(const Frame& frame, const Metrics& m, const Marks& marks) const;
  void draw_selection(const Frame& frame, const Metrics& m, Position from, Position to, ImU32 colour) const;
  void draw_line(const Frame& frame, const Metrics& m, int line, std::vector<Span>& spans) const;
  float draw_piece(const Frame& frame, const Metrics& m, float x, float y, std::string_view piece,
                   ImU32 colour) const;
  void draw_gutter(const Frame& frame, const Metrics& m, const Marks& marks) const;
  void draw_badges(Frame& frame, const Metrics& m, const Marks& marks);
  void draw_badge(Frame& frame, const Badge& badge, Rect place, bool stale) const;
  void draw_message(const Frame& frame, const Metrics& m, int line, const Message& message) const;
  void draw_squiggle(const Frame& frame, const Metrics& m, int line, const Message& message) const;
  void draw_brackets(const Frame& frame, const Metrics& m);
  void draw_caret(Frame& frame, const Metrics& m, bool read_only);
  void explain_word(const Frame& frame, const Metrics& m) const;
  void draw_completion(const Frame& frame, const Metrics& m);

  Editing editing_;
  std::vector<LexState> states_{LexState{}};  // states_[i]: the state at the start of line i; as far as known
  struct Unseen {
    int line;
    Role role;
  };
  std::vector<Unseen> unseen_;  // badges of this frame that are to the right of the visible part
  float widest_ = 0;            // of the lines seen so far, with what follows them
  int show_line_ = -1;
  bool follow_caret_ = false, dragging_ = false, take_focus_ = false, focused_ = false, left_ = false;
  double caret_since_ = 0;
  FindCard find_;
  Completion completion_;
  std::optional<int> breakpoint_wanted_;
  struct Brackets {
    Position caret;
    unsigned long revision = static_cast<unsigned long>(-1);
    std::optional<BracketPair> pair;
  } brackets_;
};

}  // namespace gui::editor

// SPDX-License-Identifier: MIT
// The line above a text in which words are looked for: a field, how many places there are, and the way from
// one to the next.
//
// Enter and F3 go on, with Shift back; Escape closes it. What has the words is the panel's business: it says
// how many places there are, marks them, and scrolls to the one that is looked at.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "text_field.hpp"
#include "view.hpp"

namespace gui {

// Where `needle` is in `text`, in bytes; Latin letters in any case.
std::vector<std::size_t> places_of(std::string_view needle, std::string_view text);
// Behind the letters of a place that was found.
void draw_found_mark(const Frame& frame, const Rect& place, bool looked_at);

class FindLine {
 public:
  // `id`: of its places, for tests.
  FindLine(std::string id, lab::Text field_words) : id_(std::move(id)), field_words_(field_words) {}
  void open(Selection& selection);
  bool is_open() const { return open_; }
  // Every frame, before anything is drawn: the keys.
  void follow(Frame& frame);
  // What is looked for, in lower case; "" while it is closed.
  const std::string& words() const { return words_; }
  // How many places have the words, each time that this may have changed. New words go to the place
  // `nearest`, from where the reader looks.
  void found(std::size_t places, std::size_t nearest);
  std::optional<std::size_t> looked_at() const;
  // True once after it went to another place, which is then to be scrolled to.
  bool went() { return std::exchange(went_, false); }
  float height(const Frame& frame) const;
  void draw(Frame& frame, ImVec2 at, float width);

 private:
  void go(bool back);
  void close(Frame& frame);

  std::string id_;
  lab::Text field_words_;
  bool open_ = false, focused_ = false, fresh_ = false, went_ = false;
  std::string focus_;  // Selection::focus when it got the keyboard
  TextField field_;
  std::string words_, placed_;  // placed_: the words for which a place was chosen
  std::size_t places_ = 0, place_ = 0;
};

}  // namespace gui

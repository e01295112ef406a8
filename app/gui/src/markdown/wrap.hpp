// SPDX-License-Identifier: MIT
// Where lines may break, in Latin and in Chinese, and how words fall into lines of a given width.
//
// Latin breaks at spaces; Chinese between any two characters, except that closing punctuation never begins
// a line and opening punctuation never ends one. The caller passes widths, so it can be tested without fonts.
#pragma once
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

namespace gui::markdown {

// One unbreakable run of a text. `spaces` bytes of white space follow it, which vanish at a line's end.
struct Piece {
  std::size_t begin = 0, end = 0;  // bytes, without the spaces
  std::size_t spaces = 0;
  bool operator==(const Piece&) const = default;
};
std::vector<Piece> break_into_pieces(std::string_view text);

// True if a line break between these two characters is allowed (there is no space between them).
bool may_break_between(char32_t before, char32_t after);

// One line: bytes [begin, end) of the text, and how wide it is.
struct Line {
  std::size_t begin = 0, end = 0;
  float width = 0;
};
using MeasureText = std::function<float(std::string_view)>;
// Greedy; a piece wider than `width` is broken inside, never inside a character. '\n' breaks always.
std::vector<Line> wrap(std::string_view text, float width, const MeasureText& measure);

// Returns the character that starts at `at`, and moves `at` after it. Malformed bytes become U+FFFD.
char32_t next_character(std::string_view text, std::size_t& at);

}  // namespace gui::markdown

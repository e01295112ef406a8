// SPDX-License-Identifier: MIT
// Colours for C++: one line at a time, with what the previous line left open.
//
// A line's colours depend only on its text and on one small state from the line above, so after an edit as
// few lines as possible are read again. Does not depend on windows or themes.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gui::editor {

enum class Token : std::uint8_t {
  Plain,
  Keyword,
  Type,      // types of the driver API and of the standard library
  Function,  // calls of the driver and runtime API
  String,
  Number,
  Comment,
  Preprocessor
};

struct Span {
  std::uint32_t begin = 0, end = 0;  // bytes of the line
  Token token = Token::Plain;
  bool operator==(const Span&) const = default;
};

// What stays open at the end of a line.
struct LexState {
  enum class Open : std::uint8_t { Nothing, BlockComment, LineComment, RawString, String, Preprocessor };
  Open open = Open::Nothing;
  std::string delimiter;  // of the raw string
  bool operator==(const LexState&) const = default;
};

// Appends the line's spans, in order, without gaps where something is coloured; plain text has no span.
LexState lex_line(std::string_view line, LexState state, std::vector<Span>& spans);

}  // namespace gui::editor

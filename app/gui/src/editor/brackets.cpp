// SPDX-License-Identifier: MIT
// See brackets.hpp.
#include "editor/brackets.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace gui::editor {
namespace {

constexpr std::string_view kOpening = "([{", kClosing = ")]}";

bool is_code(const std::vector<Span>& spans, int column) {
  const auto at = static_cast<std::uint32_t>(column);
  return std::none_of(spans.begin(), spans.end(), [at](const Span& span) {
    return (span.token == Token::String || span.token == Token::Comment) && span.begin <= at && at < span.end;
  });
}

// Walks from a bracket to its partner, keeping the brackets that are still open.
struct Walk {
  const Buffer& buffer;
  const SpansOf& spans_of;
  int direction;  // 1 down, -1 up
  std::string open{};

  // True when the walk is over; `matched` says how.
  bool take(char c, bool& matched) {
    const std::string_view opens = direction > 0 ? kOpening : kClosing,
                           closes = direction > 0 ? kClosing : kOpening;
    if (opens.find(c) != std::string_view::npos) {
      open += c;
      return false;
    }
    const std::size_t kind = closes.find(c);
    if (kind == std::string_view::npos) return false;
    matched = !open.empty() && open.back() == opens[kind];
    if (!matched) return true;
    open.pop_back();
    return open.empty();
  }
};

}  // namespace

std::optional<BracketPair> bracket_at(const Buffer& buffer, Position caret, const SpansOf& spans_of,
                                      int most_lines) {
  const std::string& line = buffer.line(caret.line);
  const std::vector<Span> here = spans_of(caret.line);
  for (const int column : {caret.column, caret.column - 1}) {
    if (column < 0 || column >= static_cast<int>(line.size())) continue;
    const char c = line[static_cast<std::size_t>(column)];
    const bool opens = kOpening.find(c) != std::string_view::npos;
    if ((!opens && kClosing.find(c) == std::string_view::npos) || !is_code(here, column)) continue;
    BracketPair pair{{caret.line, column}, {caret.line, column}, false};
    Walk walk{buffer, spans_of, opens ? 1 : -1};
    int at = column;
    for (int row = caret.line, seen = 0; row >= 0 && row < buffer.lines(); row += walk.direction, ++seen) {
      if (seen > most_lines) return std::nullopt;
      const std::string& text = buffer.line(row);
      const std::vector<Span> spans = row == caret.line ? here : spans_of(row);
      if (row != caret.line) at = opens ? 0 : static_cast<int>(text.size()) - 1;
      for (; at >= 0 && at < static_cast<int>(text.size()); at += walk.direction) {
        if (!is_code(spans, at) || !walk.take(text[static_cast<std::size_t>(at)], pair.matched)) continue;
        pair.other = {row, at};
        return pair;
      }
    }
    return pair;
  }
  return std::nullopt;
}

}  // namespace gui::editor

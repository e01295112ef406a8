// SPDX-License-Identifier: MIT
// The bracket that matches the one at the caret, as the compiler would pair them.
//
// Brackets in strings and comments do not count; the caller knows which text is code. Does not depend on a
// window.
#pragma once
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "editor/buffer.hpp"
#include "editor/lexer.hpp"

namespace gui::editor {

// The spans that the lexer finds in a line.
using SpansOf = std::function<std::vector<Span>(int line)>;

struct BracketPair {
  Position caret_side, other;
  bool matched = false;  // false: `other` does not exist, or is of another kind
};
// Looks at the character after the caret, then at the one before it. Nothing if neither is a bracket of code.
// Stops `most_lines` away: then there is no result rather than a wrong one.
std::optional<BracketPair> bracket_at(const Buffer& buffer, Position caret, const SpansOf& spans_of,
                                      int most_lines = 2000);

}  // namespace gui::editor

// SPDX-License-Identifier: MIT
// In which colour of the theme a word of C++ is drawn: in the editor, in the notes, and for a presenter.
#pragma once
#include <string_view>
#include <vector>

#include "editor/lexer.hpp"
#include "theme.hpp"

namespace gui::editor {

inline Role role_of(Token token) {
  switch (token) {
    case Token::Keyword:
      return Role::CodeKeyword;
    case Token::Type:
      return Role::CodeType;
    case Token::Function:
      return Role::CodeFunction;
    case Token::String:
      return Role::CodeString;
    case Token::Number:
      return Role::CodeNumber;
    case Token::Comment:
      return Role::CodeComment;
    case Token::Preprocessor:
      return Role::CodePreprocessor;
    case Token::Plain:
      break;
  }
  return Role::CodeText;
}

// Gives each part of the line, in order, with its colour: put(part, token, role). No part is empty.
template <class Put>
void in_colours(std::string_view line, const std::vector<Span>& spans, const Put& put) {
  std::size_t done = 0;
  const auto give = [&](std::size_t end, Token token) {
    if (done < end) put(line.substr(done, end - done), token, role_of(token));
    done = end;
  };
  for (const Span& span : spans) {
    give(span.begin, Token::Plain);
    give(span.end, span.token);
  }
  give(line.size(), Token::Plain);
}

}  // namespace gui::editor

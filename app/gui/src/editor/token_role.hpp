// SPDX-License-Identifier: MIT
// In which colour of the theme a word of C++ is drawn: in the editor, in the notes, and for a presenter.
#pragma once
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

}  // namespace gui::editor

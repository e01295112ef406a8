// SPDX-License-Identifier: MIT
// A place in the tokens of a text, and how deeply nested that place is. Knows tokens, not what they mean.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "lexer.hpp"

namespace ptx {

// Ends the parsing: this token cannot stand here.
[[noreturn]] void syntax(const Token& token);

// There is always a token to look at: the last one is the end of the text, and the cursor never passes it.
// No text nests deeply enough to exhaust the stack of the functions that read it.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : tokens_(tokenize(text)) {}
  const Token& peek(std::size_t ahead = 0) const;
  Token take();
  bool at(std::string_view text) const { return peek().text == text && !at_end(); }
  bool at_end() const { return peek().kind == Token::Kind::End; }
  bool accept(std::string_view text);
  Token expect(std::string_view text);
  Token name();
  void skip_statement();
  void skip_line(int line);

  // Blocks of a function count as nesting, too.
  void open_block();
  void close_block();
  // Lives while a nested part is read.
  class Nested {
   public:
    explicit Nested(Cursor& cursor);
    ~Nested() { --cursor_.depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    Cursor& cursor_;
  };

 private:
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace ptx

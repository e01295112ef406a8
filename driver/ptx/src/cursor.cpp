// SPDX-License-Identifier: MIT
// See cursor.hpp.
#include "cursor.hpp"

#include <algorithm>
#include <string>

#include "errors.hpp"

namespace ptx {
namespace {

constexpr std::size_t kMostNested = 512;
constexpr std::size_t kMostBlocks = 256;

}  // namespace

void syntax(const Token& token) {
  if (token.overflow) fatal(token.line, "Constant overflow");
  if (token.open_comment) fatal(token.line, "Parsing error near '': unexpected EOF while scanning");
  fatal(token.line, "Parsing error near '" + std::string(token.text) + "': syntax error");
}

const Token& Cursor::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

Token Cursor::take() {
  Token token = peek();
  if (at_ + 1 < tokens_.size()) ++at_;
  return token;
}

bool Cursor::accept(std::string_view text) {
  if (!at(text)) return false;
  take();
  return true;
}

Token Cursor::expect(std::string_view text) {
  if (!at(text)) syntax(peek());
  return take();
}

Token Cursor::name() {
  if (peek().kind != Token::Kind::Name) syntax(peek());
  return take();
}

void Cursor::skip_statement() {
  while (!at(";") && !at_end()) take();
  expect(";");
}

void Cursor::skip_line(int line) {
  while (peek().line == line && !at_end()) take();
}

void Cursor::open_block() {
  if (++depth_ > kMostBlocks) fatal(peek().line, "Blocks are nested too deeply");
}

// The braces of the function itself are closed here, but were not opened.
void Cursor::close_block() {
  depth_ -= depth_ > 0 ? 1 : 0;
}

Cursor::Nested::Nested(Cursor& cursor) : cursor_(cursor) {
  if (++cursor.depth_ > kMostNested) fatal(cursor.peek().line, "Expression is nested too deeply");
}

}  // namespace ptx

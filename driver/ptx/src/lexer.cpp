// SPDX-License-Identifier: MIT
// See lexer.hpp: names with %, $ and _ in them, dotted words, 0f/0d/0x literals, punctuation.
#include "lexer.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <string>

namespace ptx {
namespace {

bool is_name_start(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}
bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_name(char c) {
  return is_name_start(c) || is_digit(c);
}

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (skip_blanks()) tokens_.push_back(next());
    Token end;
    end.line = line_;
    end.open_comment = open_comment_;
    tokens_.push_back(end);
    return std::move(tokens_);
  }

 private:
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

  bool skip_blanks() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '\n') {
        ++line_;
        ++at_;
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++at_;
      } else if (c == '\0') {
        return false;  // PTX images end with their NUL
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == '/' && peek(1) == '*') {
        const int began = line_;
        at_ += 2;
        while (at_ < text_.size() && !(text_[at_] == '*' && peek(1) == '/')) line_ += text_[at_++] == '\n';
        open_comment_ = at_ >= text_.size();
        if (open_comment_) line_ = began;
        at_ = std::min(text_.size(), at_ + 2);
      } else {
        return true;
      }
    }
    return false;
  }

  Token make(Token::Kind kind, std::size_t start) const {
    Token token;
    token.kind = kind;
    token.text = text_.substr(start, at_ - start);
    token.line = line_;
    return token;
  }

  Token next() {
    const std::size_t start = at_;
    const char c = peek();
    if (is_digit(c)) return number();
    const bool lone = (c == '$' || c == '%') && !is_name(peek(1));
    if ((is_name_start(c) && !lone) || (c == '.' && is_name_start(peek(1)))) {
      ++at_;
      // Dots and colons belong to the word when more of it follows: "mad.lo.s32", "barrier.cta::sync". A
      // directive ends at the next one: ".reg.b32 x" needs no blank.
      while (is_name(peek()) || (c != '.' && peek() == '.' && is_name(peek(1))) ||
             (peek() == ':' && peek(1) == ':' && is_name(peek(2)) && (at_ += 1, true))) {
        ++at_;
      }
      return make(c == '.' ? Token::Kind::Directive : Token::Kind::Name, start);
    }
    if (c == '"') {
      ++at_;
      while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\n') ++at_;
      if (peek() != '"') {
        at_ = start + 1;
        return make(Token::Kind::Bad, start);
      }
      ++at_;
      return make(Token::Kind::String, start);
    }
    ++at_;
    constexpr std::string_view kPunctuation = "()[]{}<>,;:+-*/@!=|&^~?";
    return make(kPunctuation.find(c) != std::string_view::npos ? Token::Kind::Punctuation : Token::Kind::Bad,
                start);
  }

  // What goes on with a number that is not whole: ".5", "e7", "e-7".
  bool at_fraction() const {
    if (peek() == '.') return is_digit(peek(1));
    if (peek() != 'e' && peek() != 'E') return false;
    return is_digit(peek(1)) || ((peek(1) == '+' || peek(1) == '-') && is_digit(peek(2)));
  }

  Token number() {
    const std::size_t start = at_;
    const char kind = peek(1);
    if (peek() == '0' && (kind == 'f' || kind == 'F' || kind == 'd' || kind == 'D')) {
      const bool single = kind == 'f' || kind == 'F';
      return literal(start, single ? 8 : 16, single);
    }
    int base = 10;
    if (peek() == '0' && (kind == 'x' || kind == 'X')) {
      base = 16;
      at_ += 2;
    }
    if (peek() == '0' && (kind == 'b' || kind == 'B')) {
      base = 2;
      at_ += 2;
    }
    const std::size_t digits = at_;
    bool real = false;
    while (is_digit(peek()) || (base == 16 && std::isxdigit(static_cast<unsigned char>(peek()))) ||
           (base == 10 && at_fraction())) {
      real = real || !std::isxdigit(static_cast<unsigned char>(peek())) || (base == 10 && !is_digit(peek()));
      at_ += peek(1) == '+' || peek(1) == '-' ? real && !is_digit(peek()) && peek() != '.' ? 2 : 1 : 1;
    }
    if (base == 10 && !real && peek(0) != '.' && text_[digits] == '0' && at_ - digits > 1) base = 8;
    Token token = make(Token::Kind::Number, start);
    const std::string_view body = text_.substr(digits, at_ - digits);
    if (real) {
      token.bits = std::bit_cast<std::uint64_t>(std::strtod(std::string(body).c_str(), nullptr));
      token.float_literal = true;
    } else {
      const auto read = std::from_chars(body.data(), body.data() + body.size(), token.bits, base);
      token.overflow = read.ec == std::errc::result_out_of_range;
      if (read.ec != std::errc{} || read.ptr != body.data() + body.size()) token.kind = Token::Kind::Bad;
    }
    if (peek() == 'U') ++at_;
    return token;
  }

  // 0fXXXXXXXX and 0dXXXXXXXXXXXXXXXX: the bits themselves.
  Token literal(std::size_t start, std::size_t digits, bool single) {
    at_ += 2;
    const std::size_t body = at_;
    while (at_ - body < digits && std::isxdigit(static_cast<unsigned char>(peek()))) ++at_;
    Token token = make(at_ - body == digits ? Token::Kind::Number : Token::Kind::Bad, start);
    const std::string_view hex = text_.substr(body, at_ - body);
    std::from_chars(hex.data(), hex.data() + hex.size(), token.bits, 16);
    token.single_literal = single;
    token.float_literal = !single;
    return token;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool open_comment_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text) {
  return Lexer(text).run();
}

}  // namespace ptx

// SPDX-License-Identifier: MIT
// The lexer's one pass over a line. Each lex_… function starts at `at` and sets `at` to the end of what it
// read. It also colours incorrect code, because code that is being typed is incorrect most of the time.
#include "editor/lexer.hpp"

#include <algorithm>
#include <array>

namespace gui::editor {
namespace {

constexpr auto kKeywords = std::to_array<std::string_view>({"alignas",
                                                            "alignof",
                                                            "and",
                                                            "asm",
                                                            "auto",
                                                            "bool",
                                                            "break",
                                                            "case",
                                                            "catch",
                                                            "char",
                                                            "char16_t",
                                                            "char32_t",
                                                            "char8_t",
                                                            "class",
                                                            "co_await",
                                                            "co_return",
                                                            "co_yield",
                                                            "concept",
                                                            "const",
                                                            "const_cast",
                                                            "consteval",
                                                            "constexpr",
                                                            "constinit",
                                                            "continue",
                                                            "decltype",
                                                            "default",
                                                            "delete",
                                                            "do",
                                                            "double",
                                                            "dynamic_cast",
                                                            "else",
                                                            "enum",
                                                            "explicit",
                                                            "export",
                                                            "extern",
                                                            "false",
                                                            "final",
                                                            "float",
                                                            "for",
                                                            "friend",
                                                            "goto",
                                                            "if",
                                                            "inline",
                                                            "int",
                                                            "long",
                                                            "mutable",
                                                            "namespace",
                                                            "new",
                                                            "noexcept",
                                                            "not",
                                                            "nullptr",
                                                            "operator",
                                                            "or",
                                                            "override",
                                                            "private",
                                                            "protected",
                                                            "public",
                                                            "register",
                                                            "reinterpret_cast",
                                                            "requires",
                                                            "return",
                                                            "short",
                                                            "signed",
                                                            "sizeof",
                                                            "static",
                                                            "static_assert",
                                                            "static_cast",
                                                            "struct",
                                                            "switch",
                                                            "template",
                                                            "this",
                                                            "thread_local",
                                                            "throw",
                                                            "true",
                                                            "try",
                                                            "typedef",
                                                            "typename",
                                                            "union",
                                                            "unsigned",
                                                            "using",
                                                            "virtual",
                                                            "void",
                                                            "while"});
static_assert(std::is_sorted(kKeywords.begin(), kKeywords.end()));

constexpr auto kTypes = std::to_array<std::string_view>({"array",      "condition_variable",
                                                         "function",   "int16_t",
                                                         "int32_t",    "int64_t",
                                                         "int8_t",     "intptr_t",
                                                         "map",        "mutex",
                                                         "optional",   "pair",
                                                         "ptrdiff_t",  "set",
                                                         "size_t",     "span",
                                                         "string",     "string_view",
                                                         "thread",     "uint16_t",
                                                         "uint32_t",   "uint64_t",
                                                         "uint8_t",    "uintptr_t",
                                                         "unique_ptr", "unordered_map",
                                                         "vector"});
static_assert(std::is_sorted(kTypes.begin(), kTypes.end()));

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || is_upper(c) || is_digit(c) || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80);
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

// cuCtxCreate, cudaMalloc, nvrtcCompileProgram: the prefix, then a capital.
bool is_api_function(std::string_view word) {
  for (std::string_view prefix : {"cuda", "cu", "nvrtc"})
    if (word.size() > prefix.size() && word.substr(0, prefix.size()) == prefix &&
        is_upper(word[prefix.size()]))
      return true;
  return false;
}

bool is_api_type(std::string_view word) {
  if (word.size() < 4 || word.substr(0, 2) != "CU") return false;
  // CUcontext and CUDA_MEMCPY3D are types, CUDA_SUCCESS and CU_CTX_SCHED_AUTO are values.
  return word[2] >= 'a' && word[2] <= 'z';
}

Token word_token(std::string_view word) {
  if (std::binary_search(kKeywords.begin(), kKeywords.end(), word)) return Token::Keyword;
  if (is_api_type(word) || std::binary_search(kTypes.begin(), kTypes.end(), word)) return Token::Type;
  if (is_api_function(word)) return Token::Function;
  return Token::Plain;
}

struct Lexer {
  std::string_view line;
  std::size_t at = 0;
  std::vector<Span>& spans;

  char peek(std::size_t ahead = 0) const { return at + ahead < line.size() ? line[at + ahead] : '\0'; }
  bool done() const { return at >= line.size(); }
  void span(std::size_t begin, std::size_t end, Token token) {
    if (begin >= end || token == Token::Plain) return;
    if (!spans.empty() && spans.back().end == begin && spans.back().token == token)
      spans.back().end = static_cast<std::uint32_t>(end);
    else
      spans.push_back({static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end), token});
  }
  bool continues() const {
    const std::size_t last = line.find_last_not_of('\r');
    return last != std::string_view::npos && line[last] == '\\';
  }

  // True when the comment is closed on this line.
  bool block_comment(std::size_t begin) {
    const std::size_t close = line.find("*/", at);
    at = close == std::string_view::npos ? line.size() : close + 2;
    span(begin, at, Token::Comment);
    return close != std::string_view::npos;
  }
  bool raw_string(std::size_t begin, const std::string& delimiter) {
    const std::string closing = ")" + delimiter + "\"";
    const std::size_t close = line.find(closing, at);
    at = close == std::string_view::npos ? line.size() : close + closing.size();
    span(begin, at, Token::String);
    return close != std::string_view::npos;
  }
  // True when it is closed, or broken off without a backslash (then it ends with the line).
  bool quoted(std::size_t begin, char quote) {
    while (!done() && line[at] != quote) at += line[at] == '\\' && at + 1 < line.size() ? 2 : 1;
    const bool closed = !done();
    at = std::min(line.size(), at + (closed ? 1 : 0));
    span(begin, at, Token::String);
    return closed || !continues();
  }
  void number() {
    const std::size_t begin = at;
    while (!done()) {
      const char c = line[at], before = at > begin ? line[at - 1] : '\0';
      const bool exponent =
          (c == '+' || c == '-') && (before == 'p' || before == 'P' ||
                                     ((before == 'e' || before == 'E') && line.substr(begin, 2) != "0x" &&
                                      line.substr(begin, 2) != "0X"));
      const bool separator = c == '\'' && is_word(peek(1));
      if (!is_word(c) && c != '.' && !exponent && !separator) break;
      ++at;
    }
    span(begin, at, Token::Number);
  }
  LexState directive();
  LexState code(bool preprocessor);
};

// From the # on: the directive's word (and <header>) in one colour, the rest as code.
LexState Lexer::directive() {
  const std::size_t begin = at++;
  while (is_space(peek())) ++at;
  const std::size_t word = at;
  while (!done() && is_word(peek())) ++at;
  const bool include = line.substr(word, at - word) == "include";
  span(begin, at, Token::Preprocessor);
  if (include) {
    while (is_space(peek())) ++at;
    if (peek() == '<') {
      const std::size_t open = at, close = line.find('>', at);
      at = close == std::string_view::npos ? line.size() : close + 1;
      span(open, at, Token::String);
    }
  }
  return code(true);
}

LexState Lexer::code(bool preprocessor) {
  while (!done()) {
    const std::size_t begin = at;
    const char c = line[at];
    if (c == '/' && peek(1) == '/') {
      at = line.size();
      span(begin, at, Token::Comment);
      return continues() ? LexState{LexState::Open::LineComment, {}} : LexState{};
    }
    if (c == '/' && peek(1) == '*') {
      at += 2;
      if (!block_comment(begin)) return {LexState::Open::BlockComment, {}};
    } else if (c == '"' || c == '\'') {
      ++at;
      if (!quoted(begin, c)) return {LexState::Open::String, {}};
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
      number();
    } else if (is_word(c)) {
      while (!done() && is_word(peek())) ++at;
      const std::string_view word = line.substr(begin, at - begin);
      const bool prefix = word == "R" || word == "LR" || word == "uR" || word == "UR" || word == "u8R";
      const std::size_t open = prefix && peek() == '"' ? line.find('(', at) : std::string_view::npos;
      if (open != std::string_view::npos && open - at <= 17) {
        const std::string delimiter(line.substr(at + 1, open - at - 1));
        at = open + 1;
        if (!raw_string(begin, delimiter)) return {LexState::Open::RawString, delimiter};
      } else {
        span(begin, at, word_token(word));
      }
    } else {
      ++at;
    }
  }
  return preprocessor && continues() ? LexState{LexState::Open::Preprocessor, {}} : LexState{};
}

}  // namespace

LexState lex_line(std::string_view line, LexState state, std::vector<Span>& spans) {
  Lexer lexer{line, 0, spans};
  switch (state.open) {
    case LexState::Open::BlockComment:
      if (!lexer.block_comment(0)) return state;
      break;
    case LexState::Open::LineComment:
      lexer.span(0, line.size(), Token::Comment);
      return lexer.continues() ? state : LexState{};
    case LexState::Open::RawString:
      if (!lexer.raw_string(0, state.delimiter)) return state;
      break;
    case LexState::Open::String:
      if (!lexer.quoted(0, '"')) return state;
      break;
    case LexState::Open::Preprocessor:
      return lexer.code(true);
    case LexState::Open::Nothing:
      break;
  }
  while (is_space(lexer.peek()) && !lexer.done()) ++lexer.at;
  if (state.open == LexState::Open::Nothing && lexer.peek() == '#') return lexer.directive();
  return lexer.code(false);
}

}  // namespace gui::editor

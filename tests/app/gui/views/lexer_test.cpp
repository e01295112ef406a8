// SPDX-License-Identifier: MIT
// Colours of C++ lines, and what a line leaves open for the next.
#include "editor/lexer.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gui::editor {
namespace {

struct Lexed {
  std::string words;  // "K(const) T(CUcontext)"
  LexState state;
};

Lexed lex(std::string_view line, LexState state = {}) {
  std::vector<Span> spans;
  Lexed lexed;
  lexed.state = lex_line(line, std::move(state), spans);
  constexpr char kLetters[] = {' ', 'K', 'T', 'F', 'S', 'N', 'C', 'P'};
  for (const Span& span : spans) {
    if (!lexed.words.empty()) lexed.words += ' ';
    lexed.words += kLetters[static_cast<int>(span.token)];
    lexed.words += '(' + std::string(line.substr(span.begin, span.end - span.begin)) + ')';
  }
  return lexed;
}

TEST(lexer, a_driver_call_is_told_from_its_types_keywords_and_numbers) {
  EXPECT_EQ(lex("  CUcontext a = nullptr; check(cuCtxCreate(&a, 0x1F, 3));  // push").words,
            "T(CUcontext) K(nullptr) F(cuCtxCreate) N(0x1F) N(3) C(// push)");
}

TEST(lexer, names_that_only_look_like_the_api_are_plain) {
  EXPECT_EQ(lex("custom(cube, cu, CUDA_SUCCESS, CU_CTX_SCHED_AUTO)").words, "");
}

TEST(lexer, a_block_comment_stays_open_until_it_is_closed) {
  const Lexed first = lex("int a; /* one");
  EXPECT_EQ(first.words, "K(int) C(/* one)");
  EXPECT_EQ(first.state.open, LexState::Open::BlockComment);
  const Lexed second = lex("two */ int b;", first.state);
  EXPECT_EQ(second.words, "C(two */) K(int)");
  EXPECT_EQ(second.state, LexState{});
}

TEST(lexer, an_opened_comment_is_not_closed_by_its_own_slash) {
  EXPECT_EQ(lex("/*/ still").state.open, LexState::Open::BlockComment);
}

TEST(lexer, quotes_in_comments_and_comments_in_quotes_do_not_confuse_it) {
  EXPECT_EQ(lex("\"// no\" // \"yes").words, "S(\"// no\") C(// \"yes)");
  EXPECT_EQ(lex(R"('"' "\"" 'a')").words, R"(S('"') S("\"") S('a'))");
}

TEST(lexer, an_unfinished_string_ends_with_its_line) {
  const Lexed lexed = lex("printf(\"oops);");
  EXPECT_EQ(lexed.words, "S(\"oops);)");
  EXPECT_EQ(lexed.state, LexState{});
}

TEST(lexer, a_raw_string_runs_over_lines_to_its_own_delimiter) {
  const Lexed first = lex("auto s = R\"ptx(.version 8.0");
  EXPECT_EQ(first.words, "K(auto) S(R\"ptx(.version 8.0)");
  EXPECT_EQ(first.state.open, LexState::Open::RawString);
  EXPECT_EQ(lex("not here )\" yet", first.state).state, first.state);
  const Lexed last = lex("}\n)ptx\" + 1", first.state);
  EXPECT_EQ(last.state, LexState{});
  EXPECT_NE(last.words.find("N(1)"), std::string::npos);
}

TEST(lexer, directives_and_included_names_have_their_colours) {
  EXPECT_EQ(lex("#include <cuda.h>").words, "P(#include) S(<cuda.h>)");
  EXPECT_EQ(lex("  #  define N 64 << 20").words, "P(#  define) N(64) N(20)");
  EXPECT_EQ(lex("#define A \\").state.open, LexState::Open::Preprocessor);
}

TEST(lexer, numbers_take_separators_exponents_and_suffixes) {
  EXPECT_EQ(lex("1'000'000ull + 1e-9f - .5 * 0b101 / 0x1.8p-3").words,
            "N(1'000'000ull) N(1e-9f) N(.5) N(0b101) N(0x1.8p-3)");
}

TEST(lexer, any_bytes_give_ordered_spans_inside_the_line) {
  std::mt19937 random(7);
  constexpr std::string_view kAlphabet =
      "ab0.\"'\\/*#()<>R_ \t\xE4\xB8\xAD"
      "cuX-+eE";
  LexState state;
  for (int round = 0; round < 20000; ++round) {
    std::string line;
    for (auto i = random() % 24; i > 0; --i) line += kAlphabet[random() % kAlphabet.size()];
    std::vector<Span> spans;
    state = lex_line(line, state, spans);
    std::uint32_t at = 0;
    for (const Span& span : spans) {
      ASSERT_LE(at, span.begin) << line;
      ASSERT_LT(span.begin, span.end) << line;
      ASSERT_LE(span.end, line.size()) << line;
      at = span.end;
    }
  }
}

}  // namespace
}  // namespace gui::editor

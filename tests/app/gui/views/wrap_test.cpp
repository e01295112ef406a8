// SPDX-License-Identifier: MIT
// Line breaking, with every character as wide as a terminal would make it.
#include "markdown/wrap.hpp"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace gui::markdown {
namespace {

float columns(std::string_view text) {
  float width = 0;
  for (std::size_t at = 0; at < text.size();) width += next_character(text, at) < 0x2E80 ? 1.0f : 2.0f;
  return width;
}

std::vector<std::string> lines_of(std::string_view text, float width) {
  std::vector<std::string> lines;
  for (const Line& line : wrap(text, width, columns))
    lines.emplace_back(text.substr(line.begin, line.end - line.begin));
  return lines;
}
using Lines = std::vector<std::string>;

TEST(wrap, english_breaks_at_spaces_and_drops_them) {
  EXPECT_EQ(lines_of("the stack is A over B", 10), (Lines{"the stack", "is A over", "B"}));
}

TEST(wrap, chinese_breaks_between_characters) {
  EXPECT_EQ(lines_of("上下文压入栈顶", 6), (Lines{"上下文", "压入栈", "顶"}));
}

TEST(wrap, closing_punctuation_never_begins_a_line) {
  EXPECT_EQ(lines_of("压入栈，弹出", 6), (Lines{"压入", "栈，弹", "出"}));
  EXPECT_EQ(lines_of("（压入）栈顶。", 8), (Lines{"（压入）", "栈顶。"}));
}

TEST(wrap, opening_punctuation_never_ends_a_line) {
  EXPECT_EQ(lines_of("压入栈（顶）", 8), (Lines{"压入栈", "（顶）"}));
  EXPECT_EQ(lines_of("他说“好”", 6), (Lines{"他说", "“好”"}));
}

TEST(wrap, a_call_between_chinese_words_is_not_torn) {
  EXPECT_EQ(lines_of("调用cuCtxCreate会压栈", 13), (Lines{"调用", "cuCtxCreate会", "压栈"}));
}

TEST(wrap, a_word_wider_than_the_line_is_cut_between_characters) {
  EXPECT_EQ(lines_of("CUDA_ERROR_INVALID", 8), (Lines{"CUDA_ERR", "OR_INVAL", "ID"}));
  EXPECT_EQ(lines_of("中文", 1), (Lines{"中", "文"}));
}

TEST(wrap, a_mark_behind_a_word_that_is_cut_takes_its_neighbour_along) {
  EXPECT_EQ(lines_of("CUDA_ERR。", 8), (Lines{"CUDA_ER", "R。"}));
  EXPECT_EQ(lines_of("CUDA_ERROR_INVALID。", 9), (Lines{"CUDA_ERRO", "R_INVALI", "D。"}));
  EXPECT_EQ(lines_of("。。。", 2), (Lines{"。", "。", "。"}));  // nothing else there: one each, and an end
}

TEST(wrap, a_word_of_any_length_is_measured_a_line_at_a_time) {
  const std::string word(100'000, 'a');
  std::size_t measured = 0;
  const auto lines = wrap(word, 60, [&](std::string_view part) {
    measured += part.size();
    return columns(part);
  });
  EXPECT_EQ(lines.size(), 1667u);
  EXPECT_LT(measured, 100 * word.size());
}

TEST(wrap, hard_breaks_and_empty_lines_stay) {
  EXPECT_EQ(lines_of("a\n\nb", 9), (Lines{"a", "", "b"}));
  EXPECT_EQ(lines_of("", 9), (Lines{""}));
}

TEST(wrap, malformed_bytes_do_no_harm) {
  const std::string bytes = "\xff\xe4\xb8 a\x80\xf0\x9f";
  std::size_t total = 0;
  for (const Line& line : wrap(bytes, 2, columns)) total += line.end - line.begin;
  EXPECT_GT(total, 4u);
}

// Whatever the text and the width: nothing but spaces is lost, no line is too wide unless one character is,
// and no rule of punctuation is broken except where a piece alone is wider than the line.
TEST(wrap, every_text_keeps_its_words_and_the_rules) {
  static const char* const kWords[] = {"cuInit", " ", "中", "文", "，",     "。", "（",
                                       "）",     "a", "“",  "”",  "64 MiB", "…"};
  for (unsigned seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    for (auto i = random() % 60; i > 0; --i) text += kWords[random() % std::size(kWords)];
    const float width = 8 + static_cast<float>(random() % 30);
    std::string kept, wanted;
    const auto without_spaces = [](std::string_view from, std::string& to) {
      for (char c : from)
        if (c != ' ') to += c;
    };
    without_spaces(text, wanted);
    for (const std::string& line : lines_of(text, width)) {
      without_spaces(line, kept);
      EXPECT_LE(columns(line), width) << text;
      std::size_t at = 0;
      if (line.empty()) continue;
      const char32_t first = next_character(line, at);
      const bool long_piece = [&] {
        for (const Piece& piece : break_into_pieces(text))
          if (columns(std::string_view(text).substr(piece.begin, piece.end - piece.begin)) > width)
            return true;
        return false;
      }();
      if (!long_piece && kept.size() > line.size()) {
        EXPECT_TRUE(first != U'，' && first != U'。' && first != U'）') << text;
      }
    }
    EXPECT_EQ(kept, wanted);
  }
}

}  // namespace
}  // namespace gui::markdown

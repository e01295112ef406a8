// SPDX-License-Identifier: MIT
// Brackets are paired as the compiler pairs them: over lines, not in strings, and not with the wrong kind.
#include <gtest/gtest.h>

#include "editor/brackets.hpp"
#include "editor/editing.hpp"

namespace {

using gui::editor::BracketPair;
using gui::editor::Buffer;
using gui::editor::Position;
using gui::editor::Span;

std::optional<BracketPair> at(std::string_view text, Position caret, int most_lines = 2000) {
  const Buffer buffer(text);
  return gui::editor::bracket_at(
      buffer, caret,
      [&](int line) {
        gui::editor::LexState state;
        std::vector<Span> spans;
        for (int i = 0; i <= line; ++i) spans.clear(), state = lex_line(buffer.line(i), state, spans);
        return spans;
      },
      most_lines);
}

TEST(brackets, the_partner_is_found_in_both_directions_and_over_lines) {
  const auto down = at("f(a[1], {\n  2 });", {0, 1});
  ASSERT_TRUE(down && down->matched);
  EXPECT_EQ(down->other, (Position{1, 5}));
  const auto up = at("f(a[1], {\n  2 });", {1, 5});
  ASSERT_TRUE(up && up->matched);
  EXPECT_EQ(up->other, (Position{0, 1}));
}

TEST(brackets, the_one_before_the_caret_counts_where_none_is_behind_it) {
  const auto pair = at("(a) b", {0, 3});
  ASSERT_TRUE(pair && pair->matched);
  EXPECT_EQ(pair->other, (Position{0, 0}));
  EXPECT_FALSE(at("(a) b", {0, 5}));
}

TEST(brackets, strings_and_comments_are_not_code) {
  const auto pair = at("f(\")\", ')', /* ) */ 1)", {0, 1});
  ASSERT_TRUE(pair && pair->matched);
  EXPECT_EQ(pair->other, (Position{0, 21}));
  EXPECT_FALSE(at("// (", {0, 3}));
}

TEST(brackets, a_wrong_or_missing_partner_is_no_match) {
  EXPECT_FALSE(at("(a]", {0, 0})->matched);
  EXPECT_FALSE(at("(a", {0, 0})->matched);
  EXPECT_FALSE(at("}", {0, 0})->matched);
}

TEST(brackets, far_away_there_is_no_answer_rather_than_a_wrong_one) {
  std::string far = "{";
  far.append(50, '\n');
  EXPECT_FALSE(at(far + "}", {0, 0}, 20));
  EXPECT_TRUE(at(far + "}", {0, 0}, 60));
}

TEST(replacing, all_matches_are_one_change) {
  gui::editor::Editing editing("a = aa + b\na");
  EXPECT_EQ(editing.replace_all("a", "long"), 4u);
  EXPECT_EQ(editing.buffer.text(), "long = longlong + b\nlong");
  EXPECT_TRUE(editing.undo());
  EXPECT_EQ(editing.buffer.text(), "a = aa + b\na");
  EXPECT_EQ(editing.replace_all("nowhere", "x"), 0u);
  EXPECT_EQ(editing.replace_all("", "x"), 0u);
}

TEST(replacing, a_replacement_that_holds_the_needle_is_replaced_once) {
  gui::editor::Editing editing("aaa");
  EXPECT_EQ(editing.replace_all("aa", "aaaa"), 1u);
  EXPECT_EQ(editing.buffer.text(), "aaaaa");
}

}  // namespace

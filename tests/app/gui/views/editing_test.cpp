// SPDX-License-Identifier: MIT
// What keys do to the text.
#include "editor/editing.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gui::editor {
namespace {

Editing at(std::string_view text, Position place) {
  Editing editing(text);
  editing.caret = caret_at(place);
  return editing;
}

TEST(editing, up_and_down_keep_the_column_even_over_short_lines_and_chinese) {
  Editing e = at("abcdef\nx\n上下文压栈顶\nabcdef", {0, 4});
  e.move(Move::Down, Extend::No);
  EXPECT_EQ(e.caret.head, (Position{1, 1}));
  e.move(Move::Down, Extend::No);
  EXPECT_EQ(e.caret.head, (Position{2, 12}));
  e.move(Move::Down, Extend::No);
  EXPECT_EQ(e.caret.head, (Position{3, 4}));
  e.move(Move::Down, Extend::No);
  EXPECT_EQ(e.caret.head, (Position{3, 6}));
}

TEST(editing, home_goes_to_the_text_first_and_to_the_margin_then) {
  Editing e = at("    check();", {0, 9});
  e.move(Move::LineStart, Extend::No);
  EXPECT_EQ(e.caret.head.column, 4);
  e.move(Move::LineStart, Extend::No);
  EXPECT_EQ(e.caret.head.column, 0);
}

TEST(editing, moving_left_from_a_selection_only_lets_it_go) {
  Editing e("abc");
  e.caret = {{0, 0}, {0, 3}};
  e.move(Move::Left, Extend::No);
  EXPECT_EQ(e.caret, caret_at({0, 0}));
}

TEST(editing, typing_replaces_the_selection) {
  Editing e("abc");
  e.caret = {{0, 1}, {0, 3}};
  e.type("中");
  EXPECT_EQ(e.buffer.text(), "a中");
  EXPECT_EQ(e.caret, caret_at({0, 4}));
}

TEST(editing, enter_keeps_the_indentation_and_opens_a_block) {
  Editing e = at("  if (x) {", {0, 10});
  e.new_line();
  EXPECT_EQ(e.buffer.text(), "  if (x) {\n    ");
  e.type("}");
  EXPECT_EQ(e.buffer.text(), "  if (x) {\n  }");
  e.new_line();
  EXPECT_EQ(e.buffer.text(), "  if (x) {\n  }\n  ");
}

TEST(editing, backspace_takes_a_step_of_indentation_and_one_whole_character) {
  Editing e = at("    中", {0, 7});
  e.backspace();
  EXPECT_EQ(e.buffer.text(), "    ");
  e.backspace();
  EXPECT_EQ(e.buffer.text(), "  ");
  Editing joined = at("a\nb", {1, 0});
  joined.backspace();
  EXPECT_EQ(joined.buffer.text(), "ab");
}

TEST(editing, a_selection_of_lines_is_indented_and_back) {
  Editing e("a\n\nb\nc");
  e.caret = {{0, 0}, {3, 0}};  // ends before c
  e.indent();
  EXPECT_EQ(e.buffer.text(), "  a\n\n  b\nc");
  e.unindent();
  EXPECT_EQ(e.buffer.text(), "a\n\nb\nc");
  ASSERT_TRUE(e.undo());
  ASSERT_TRUE(e.undo());
  EXPECT_FALSE(e.undo());
}

TEST(editing, comments_come_and_go_at_the_blocks_own_depth) {
  Editing e("  a;\n\n    b;\n");
  e.caret = {{0, 1}, {2, 5}};
  e.toggle_comment();
  EXPECT_EQ(e.buffer.text(), "  // a;\n\n  //   b;\n");
  e.toggle_comment();
  EXPECT_EQ(e.buffer.text(), "  a;\n\n    b;\n");
  Editing mixed("// a\nb");
  mixed.select_all();
  mixed.toggle_comment();
  EXPECT_EQ(mixed.buffer.text(), "// // a\n// b");
}

TEST(editing, cut_without_a_selection_takes_the_line) {
  Editing e = at("a\nb\nc", {1, 0});
  EXPECT_EQ(e.cut(), "b\n");
  EXPECT_EQ(e.buffer.text(), "a\nc");
}

TEST(editing, a_paste_from_another_system_keeps_no_carriage_returns_or_control_characters) {
  Editing e;
  e.paste("a\r\nb\rc\x01\x1b[0m");
  EXPECT_EQ(e.buffer.text(), "a\nb\nc[0m");
}

TEST(editing, find_minds_capitals_only_when_asked_with_one) {
  Editing e("cuInit CUINIT\ncuinit 栈");
  EXPECT_EQ(e.find("cuinit").size(), 3u);
  EXPECT_EQ(e.find("cuInit"), (std::vector<Position>{{0, 0}}));
  EXPECT_EQ(e.find("栈"), (std::vector<Position>{{1, 7}}));
  EXPECT_TRUE(e.find("").empty());
}

TEST(editing, a_double_click_selects_a_name) {
  Editing e("check(cuInit(0));");
  e.select_word({0, 8});
  EXPECT_EQ(e.selected(), "cuInit");
  e.select_word({0, 5});  // at its end: the name, not what follows
  EXPECT_EQ(e.selected(), "check");
  e.select_word({0, 15});
  EXPECT_EQ(e.selected(), ")");
}

// Keys at random: the caret stays in the text and between characters, and undo leads back to the start.
TEST(editing, any_keys_keep_the_caret_valid_and_can_be_undone) {
  for (unsigned seed = 0; seed < 80; ++seed) {
    std::mt19937 random(seed);
    const std::string original = "int main() {\n\tcheck(cuInit(0));  // 初始化\n\n}\n";
    Editing e(original);
    for (int i = 0; i < 300; ++i) {
      const auto extend = random() % 3 == 0 ? Extend::Yes : Extend::No;
      switch (random() % 14) {
        case 0:
        case 1:
        case 2:
        case 3:
          e.move(static_cast<Move>(random() % 12), extend, 3);
          break;
        case 4:
          e.type(random() % 2 ? "x" : "栈");
          break;
        case 5:
          e.new_line();
          break;
        case 6:
          e.backspace(extend);
          break;
        case 7:
          e.delete_forward(extend);
          break;
        case 8:
          e.indent();
          break;
        case 9:
          e.unindent();
          break;
        case 10:
          e.toggle_comment();
          break;
        case 11:
          e.duplicate_lines();
          break;
        case 12:
          e.type(random() % 2 ? "}" : "{");
          break;
        default:
          random() % 2 ? e.undo() : e.redo();
      }
      ASSERT_EQ(e.caret.head, e.buffer.clamp(e.caret.head)) << "seed " << seed << " step " << i;
      ASSERT_EQ(e.caret.anchor, e.buffer.clamp(e.caret.anchor)) << "seed " << seed << " step " << i;
    }
    while (e.undo()) {
    }
    EXPECT_EQ(e.buffer.text(), original) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gui::editor

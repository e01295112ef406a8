// SPDX-License-Identifier: MIT
// The edited text: replacing, moving by characters and words, and undo that never forgets.
#include "editor/buffer.hpp"

#include <gtest/gtest.h>

#include <random>

namespace gui::editor {
namespace {

TEST(buffer, a_text_comes_out_as_it_went_in) {
  for (const char* text : {"", "a", "a\n", "\n\n", "a\nb", "a\r\nb\r\n", "a\r\nb\n", "线程\n上下文"})
    EXPECT_EQ(Buffer(text).text(), text);
}

TEST(buffer, lines_of_windows_have_no_carriage_return_while_edited) {
  Buffer buffer("a\r\nb\r\n");
  EXPECT_EQ(buffer.line(0), "a");
  buffer.replace({0, 1}, {0, 1}, "x\ny", {});
  EXPECT_EQ(buffer.text(), "ax\r\ny\r\nb\r\n");
}

TEST(buffer, the_caret_steps_over_whole_characters) {
  const Buffer buffer("a中b\nc");
  EXPECT_EQ(buffer.right({0, 1}), (Position{0, 4}));
  EXPECT_EQ(buffer.left({0, 4}), (Position{0, 1}));
  EXPECT_EQ(buffer.right({0, 5}), (Position{1, 0}));
  EXPECT_EQ(buffer.left({1, 0}), (Position{0, 5}));
  EXPECT_EQ(buffer.clamp({0, 3}), (Position{0, 1}));
  EXPECT_EQ(buffer.clamp({9, 9}), (Position{1, 1}));
  EXPECT_EQ(buffer.right({1, 1}), (Position{1, 1}));
  EXPECT_EQ(buffer.left({0, 0}), (Position{0, 0}));
}

TEST(buffer, word_steps_stop_at_names_and_operators) {
  const Buffer buffer("check(cuInit(0));");
  EXPECT_EQ(buffer.word_right({0, 0}).column, 5);
  EXPECT_EQ(buffer.word_right({0, 5}).column, 6);
  EXPECT_EQ(buffer.word_left({0, 12}).column, 6);
  EXPECT_EQ(buffer.word_left({0, 3}).column, 0);
}

TEST(buffer, replacing_across_lines_joins_and_splits_them) {
  Buffer buffer("one\ntwo\nthree");
  EXPECT_EQ(buffer.replace({0, 1}, {2, 2}, "X\nY", {}), (Position{1, 1}));
  EXPECT_EQ(buffer.text(), "oX\nYree");
  EXPECT_EQ(buffer.text({0, 1}, {1, 1}), "X\nY");
}

TEST(buffer, typed_characters_are_undone_together_and_a_paste_alone) {
  Buffer buffer("");
  Position at{};
  for (const char* letter : {"a", "b", "c"})
    at = buffer.replace(at, at, letter, caret_at(at), Grouping::WithTyping);
  at = buffer.replace(at, at, "PASTE", caret_at(at));
  Caret caret;
  ASSERT_TRUE(buffer.undo(caret));
  EXPECT_EQ(buffer.text(), "abc");
  EXPECT_EQ(caret, caret_at({0, 3}));
  ASSERT_TRUE(buffer.undo(caret));
  EXPECT_EQ(buffer.text(), "");
  EXPECT_FALSE(buffer.undo(caret));
  ASSERT_TRUE(buffer.redo(caret));
  ASSERT_TRUE(buffer.redo(caret));
  EXPECT_EQ(buffer.text(), "abcPASTE");
  EXPECT_FALSE(buffer.redo(caret));
}

TEST(buffer, typing_after_a_move_is_a_group_of_its_own) {
  Buffer buffer("");
  buffer.replace({0, 0}, {0, 0}, "a", {}, Grouping::WithTyping);
  buffer.close_group();
  buffer.replace({0, 1}, {0, 1}, "b", {}, Grouping::WithTyping);
  Caret caret;
  buffer.undo(caret);
  EXPECT_EQ(buffer.text(), "a");
}

TEST(buffer, a_group_of_many_changes_is_one_step_of_undo) {
  Buffer buffer("a\nb\nc");
  buffer.begin_group();
  for (int line = 0; line < 3; ++line) buffer.replace({line, 0}, {line, 0}, "  ", {});
  buffer.end_group();
  EXPECT_EQ(buffer.text(), "  a\n  b\n  c");
  Caret caret;
  ASSERT_TRUE(buffer.undo(caret));
  EXPECT_EQ(buffer.text(), "a\nb\nc");
  EXPECT_FALSE(buffer.can_undo());
}

TEST(buffer, a_change_after_an_undo_forgets_what_could_be_redone) {
  Buffer buffer("");
  buffer.replace({0, 0}, {0, 0}, "a", {});
  Caret caret;
  buffer.undo(caret);
  buffer.replace({0, 0}, {0, 0}, "b", {});
  EXPECT_FALSE(buffer.redo(caret));
  EXPECT_EQ(buffer.text(), "b");
}

TEST(buffer, the_first_changed_line_is_known_once) {
  Buffer buffer("a\nb\nc");
  buffer.take_first_changed();
  buffer.replace({2, 0}, {2, 0}, "x", {});
  buffer.replace({1, 0}, {1, 0}, "y", {});
  EXPECT_EQ(buffer.take_first_changed(), 1);
  EXPECT_GT(buffer.take_first_changed(), 1000000);
}

// Any edits, any grouping: undone one by one they give every text back, redone they give it again.
TEST(buffer, undoing_everything_gives_the_original_and_redoing_the_result) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    const std::string original = "int main() {\n  线程 and 栈;\n\n}\n";
    Buffer buffer(original);
    const auto place = [&] {
      const int line = static_cast<int>(random() % static_cast<unsigned>(buffer.lines()));
      return buffer.clamp({line, static_cast<int>(random() % (buffer.line(line).size() + 1))});
    };
    for (int edit = 0; edit < 200; ++edit) {
      static const char* const kTexts[] = {"", "x", "中", "two\nlines", "\n", "    "};
      const Position a = place(), b = random() % 3 == 0 ? place() : a;
      if (random() % 10 == 0) buffer.close_group();
      const bool grouped = random() % 8 == 0;
      if (grouped) buffer.begin_group();
      for (int n = grouped ? 3 : 1; n > 0; --n)
        buffer.replace(a, b, kTexts[random() % 6], caret_at(a), static_cast<Grouping>(random() % 3));
      if (grouped) buffer.end_group();
      Caret caret;
      if (random() % 12 == 0) buffer.undo(caret);
      if (random() % 24 == 0) buffer.redo(caret);
    }
    const std::string result = buffer.text();
    const bool had_redo = buffer.can_redo();
    Caret caret;
    while (buffer.undo(caret)) {
      ASSERT_EQ(caret.head, buffer.clamp(caret.head));
    }
    ASSERT_EQ(buffer.text(), original) << "seed " << seed;
    while (buffer.can_redo()) buffer.redo(caret);
    // Whatever was still to be redone when the edits stopped comes on top of the result.
    if (!had_redo) {
      ASSERT_EQ(buffer.text(), result) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace gui::editor

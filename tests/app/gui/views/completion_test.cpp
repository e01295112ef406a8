// SPDX-License-Identifier: MIT
// When the list of words opens, what keys do to it, and what it puts into the text.
#include "editor/completion.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gui::editor {
namespace {

constexpr lab::Language kEnglish = lab::Language::English;

class CompletionList : public ::testing::Test {
 protected:
  void type(std::string_view text) {
    editing_.type(text);
    completion_.follow(editing_, true, kEnglish);
  }
  void press(Key key) {
    if (completion_.take({key}, editing_)) return;
    if (key == Key::Backspace) editing_.backspace();
    if (key == Key::Enter) editing_.new_line();
    if (key == Key::Left) editing_.move(Move::Left, Extend::No);
    completion_.follow(editing_, false, kEnglish);
  }
  std::string chosen() const {
    return completion_.is_open() ? std::string(completion_.words()[completion_.choice()].word) : "";
  }
  Editing editing_;
  Completion completion_;
};

TEST_F(CompletionList, opens_while_a_word_of_the_api_is_typed_and_not_before_its_third_letter) {
  type("cu");
  EXPECT_FALSE(completion_.is_open());
  type("I");
  EXPECT_TRUE(completion_.is_open());
  EXPECT_EQ(chosen(), "cuImportExternalMemory");
  type("n");
  EXPECT_EQ(chosen(), "cuInit");
}

TEST_F(CompletionList, other_words_are_typed_in_peace) {
  for (const char* word : {"int", " value", " custom", " x.cuMemFake", " 3cuM"}) {
    type(word);
    EXPECT_FALSE(completion_.is_open()) << word;
  }
}

TEST_F(CompletionList, enter_puts_the_chosen_word_in_the_place_of_its_beginning) {
  type("ok(cuCtxPu");
  press(Key::Enter);
  EXPECT_EQ(editing_.buffer.text(), "ok(cuCtxPushCurrent");
  EXPECT_FALSE(completion_.is_open());
  EXPECT_EQ(editing_.caret.head, (Position{0, 19}));
  EXPECT_TRUE(editing_.undo());
  EXPECT_EQ(editing_.buffer.text(), "ok(cuCtxPu");
}

TEST_F(CompletionList, capitals_are_put_right) {
  type("cuctxpu");
  press(Key::Tab);
  EXPECT_EQ(editing_.buffer.text(), "cuCtxPushCurrent");
}

TEST_F(CompletionList, up_and_down_choose_and_go_round) {
  type("cuStreamQ");
  press(Key::Down);
  EXPECT_EQ(chosen(), "cuStreamQuery") << "there is one only";
  for (int i = 0; i < 5; ++i) press(Key::Backspace);
  ASSERT_TRUE(completion_.is_open());
  const std::size_t count = completion_.words().size();
  ASSERT_GT(count, 8u);
  const std::string first = std::string(completion_.words().front().word);
  press(Key::Up);
  press(Key::Down);
  while (chosen() != first) press(Key::Down);
  press(Key::Up);
  EXPECT_EQ(chosen(), completion_.words().back().word);
}

TEST_F(CompletionList, the_choice_stays_while_more_is_typed) {
  type("cuMemAl");
  while (chosen() != "cuMemAllocHost") press(Key::Down);
  type("loc");
  EXPECT_EQ(chosen(), "cuMemAllocHost");
}

TEST_F(CompletionList, escape_a_move_and_a_sign_close_it) {
  type("cuMem");
  press(Key::Escape);
  EXPECT_FALSE(completion_.is_open());
  type("A");
  EXPECT_TRUE(completion_.is_open());
  press(Key::Left);
  EXPECT_FALSE(completion_.is_open());
  editing_.move(Move::Right, Extend::No);
  type("l");
  ASSERT_TRUE(completion_.is_open());
  type("(");
  EXPECT_FALSE(completion_.is_open());
}

TEST_F(CompletionList, enter_after_a_whole_word_begins_a_line) {
  type("cuMemAlloc");
  ASSERT_EQ(chosen(), "cuMemAlloc");
  press(Key::Enter);
  EXPECT_EQ(editing_.buffer.text(), "cuMemAlloc\n");
}

TEST_F(CompletionList, closes_when_its_only_word_is_complete) {
  type("cuCtxPushCurren");
  ASSERT_TRUE(completion_.is_open());
  type("t");
  EXPECT_FALSE(completion_.is_open());
}

TEST_F(CompletionList, is_asked_for_with_any_beginning_but_not_inside_a_word) {
  editing_ = Editing("CU_STREAM_N");
  editing_.caret = caret_at({0, 11});
  completion_.ask(editing_, kEnglish);
  EXPECT_EQ(chosen(), "CU_STREAM_NON_BLOCKING");
  editing_.caret = caret_at({0, 4});
  completion_.ask(editing_, kEnglish);
  EXPECT_FALSE(completion_.is_open());
}

}  // namespace
}  // namespace gui::editor

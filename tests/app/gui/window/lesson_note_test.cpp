// SPDX-License-Identifier: MIT
// The note on a lesson in the list of lessons, and that it is green only where all of it is right.
#include "lesson_note.hpp"

#include <gtest/gtest.h>

namespace gui {
namespace {

class Note : public testing::Test {
 protected:
  Note() {
    lesson_.slug = "memory";
    lesson_.exercises = {"repair", "predict"};
  }
  void pass(const char* exercise) { lab::count_check(mine().exercises[exercise], true); }
  lab::LessonProgress& mine() { return progress_.lessons["memory"]; }
  LessonNote note(bool next = false, lab::Language language = lab::Language::English) {
    return note_on(progress_, lesson_, next, language);
  }
  lab::Lesson lesson_;
  lab::Progress progress_;
};

TEST_F(Note, without_work_it_says_nothing_or_that_the_lesson_is_next) {
  EXPECT_EQ(note().words, "");
  EXPECT_EQ(note(true).words, "next");
  EXPECT_EQ(note(true).role, Role::Accent);
}

TEST_F(Note, a_wrong_answer_is_not_green) {
  mine().quiz = "w--";
  EXPECT_EQ(note().words, "0 of 1 right");
  EXPECT_EQ(note().role, Role::Muted);
  EXPECT_EQ(note(false, lab::Language::Chinese).words, "1 题答对 0 题");
  mine().quiz = "wr-";
  EXPECT_EQ(note().words, "1 of 2 right");
  EXPECT_EQ(note().role, Role::Muted);
}

TEST_F(Note, right_answers_alone_are_green) {
  mine().quiz = "rr-";
  EXPECT_EQ(note().words, "2 of 2 right");
  EXPECT_EQ(note().role, Role::Good);
}

TEST_F(Note, some_of_the_exercises_are_not_green_and_all_of_them_are) {
  pass("repair");
  EXPECT_EQ(note().words, "Passed 1 of 2");
  EXPECT_EQ(note().role, Role::Muted);
  pass("predict");
  EXPECT_EQ(note().words, "Passed");
  EXPECT_EQ(note().role, Role::Good);
}

TEST_F(Note, all_exercises_passed_and_a_wrong_answer_are_not_green) {
  pass("repair"), pass("predict");
  mine().quiz = "rw-";
  EXPECT_EQ(note().words, "Passed · 1 of 2 right");
  EXPECT_EQ(note().role, Role::Muted);
}

}  // namespace
}  // namespace gui

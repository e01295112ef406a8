// SPDX-License-Identifier: MIT
// Steps of a lesson in its source and in its notes.
#include "fixture.hpp"
#include "lab/catalogue.hpp"

TEST(StepMarks, a_step_lasts_to_the_next_one_and_the_last_to_the_end) {
  const auto marks = lab::step_marks_in_source("main.cpp", "a\n// step: one\nb\nc\n  //  step: two \nd\n");
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].name, "one");
  EXPECT_EQ(marks[0].file, "main.cpp");
  EXPECT_EQ(marks[0].first_line, 2);
  EXPECT_EQ(marks[0].last_line, 4);
  EXPECT_EQ(marks[1].name, "two");
  EXPECT_EQ(marks[1].first_line, 5);
  EXPECT_EQ(marks[1].last_line, 6);
}

TEST(StepMarks, a_mark_is_a_whole_line) {
  EXPECT_TRUE(lab::step_marks_in_source("m", "int a; // step: no\n//step\n// steps: no\n// step:\n").empty());
  EXPECT_EQ(lab::step_marks_in_source("m", "//step: yes\r\n").at(0).name, "yes");
}

TEST(StepMarks, notes_are_marked_by_comments) {
  const auto marks = lab::step_marks_in_notes("# T\n<!-- step: one -->\ntext\n<!--step: two-->\nend");
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].last_line, 3);
  EXPECT_EQ(marks[1].name, "two");
  EXPECT_EQ(marks[1].last_line, 5);
  EXPECT_TRUE(marks[0].file.empty());
}

TEST(StepMarks, a_comment_that_is_not_closed_is_no_mark) {
  EXPECT_TRUE(lab::step_marks_in_notes("<!-- step: one\n-->\n").empty());
}

TEST(StepMarks, a_place_belongs_to_the_step_of_its_file) {
  const auto marks = lab::step_marks_in_source("main.cpp", "\n// step: one\nx\n");
  EXPECT_EQ(lab::step_at(marks, "main.cpp", 1), nullptr);
  ASSERT_NE(lab::step_at(marks, "main.cpp", 3), nullptr);
  EXPECT_EQ(lab::step_at(marks, "main.cpp", 3)->name, "one");
  EXPECT_EQ(lab::step_at(marks, "other.cpp", 3), nullptr);
}

namespace {

// main.cpp: helper() in line 1, step one in 2 to 4, step two from 5 on.
const std::vector<lab::StepMark> kMarks =
    lab::step_marks_in_source("main.cpp", "helper();\n// step: one\na();\nhelper();\n// step: two\nb();\n");
constexpr std::optional<std::size_t> kNone, kOne = 0, kTwo = 1;

}  // namespace

TEST(StepsOfRun, a_call_in_a_helper_belongs_to_the_step_that_it_was_called_from) {
  lab::StepsOfRun steps;
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 3), kOne);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kOne);
  EXPECT_EQ(steps.next(kMarks, 0, "library.c", 5), kOne);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 6), kTwo);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kTwo);
  EXPECT_EQ(steps.next(kMarks, 0, "", 0), kTwo) << "a place that nobody knows";
}

TEST(StepsOfRun, before_the_first_step_there_is_none) {
  lab::StepsOfRun steps;
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kNone);
  EXPECT_EQ(steps.next({}, 0, "main.cpp", 3), kNone);
}

TEST(StepsOfRun, a_thread_is_in_the_step_that_started_it_until_it_reaches_one_itself) {
  lab::StepsOfRun steps;
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 3), kOne);
  EXPECT_EQ(steps.next(kMarks, 1, "main.cpp", 1), kOne);
  EXPECT_EQ(steps.next(kMarks, 1, "main.cpp", 6), kTwo);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kOne) << "each thread has a step of its own";
  EXPECT_EQ(steps.next(kMarks, 1, "main.cpp", 1), kTwo);
}

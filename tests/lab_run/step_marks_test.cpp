// SPDX-License-Identifier: MIT
// Steps of a lesson in its source and in its notes.
#include "fixture.hpp"
#include "lab/catalogue.hpp"

TEST(StepMarks, AStepLastsToTheNextOneAndTheLastToTheEnd) {
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

TEST(StepMarks, AMarkIsAWholeLine) {
  EXPECT_TRUE(lab::step_marks_in_source("m", "int a; // step: no\n//step\n// steps: no\n// step:\n").empty());
  EXPECT_EQ(lab::step_marks_in_source("m", "//step: yes\r\n").at(0).name, "yes");
}

TEST(StepMarks, NotesAreMarkedByComments) {
  const auto marks = lab::step_marks_in_notes("# T\n<!-- step: one -->\ntext\n<!--step: two-->\nend");
  ASSERT_EQ(marks.size(), 2u);
  EXPECT_EQ(marks[0].last_line, 3);
  EXPECT_EQ(marks[1].name, "two");
  EXPECT_EQ(marks[1].last_line, 5);
  EXPECT_TRUE(marks[0].file.empty());
}

TEST(StepMarks, ACommentThatIsNotClosedIsNoMark) {
  EXPECT_TRUE(lab::step_marks_in_notes("<!-- step: one\n-->\n").empty());
}

TEST(StepMarks, APlaceBelongsToTheStepOfItsFile) {
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

TEST(StepsOfRun, ACallInAHelperBelongsToTheStepThatItWasCalledFrom) {
  lab::StepsOfRun steps;
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 3), kOne);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kOne);
  EXPECT_EQ(steps.next(kMarks, 0, "library.c", 5), kOne);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 6), kTwo);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kTwo);
  EXPECT_EQ(steps.next(kMarks, 0, "", 0), kTwo) << "a place that nobody knows";
}

TEST(StepsOfRun, BeforeTheFirstStepThereIsNone) {
  lab::StepsOfRun steps;
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kNone);
  EXPECT_EQ(steps.next({}, 0, "main.cpp", 3), kNone);
}

TEST(StepsOfRun, AThreadIsInTheStepThatStartedItUntilItReachesOneItself) {
  lab::StepsOfRun steps;
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 3), kOne);
  EXPECT_EQ(steps.next(kMarks, 1, "main.cpp", 1), kOne);
  EXPECT_EQ(steps.next(kMarks, 1, "main.cpp", 6), kTwo);
  EXPECT_EQ(steps.next(kMarks, 0, "main.cpp", 1), kOne) << "each thread has a step of its own";
  EXPECT_EQ(steps.next(kMarks, 1, "main.cpp", 1), kTwo);
}

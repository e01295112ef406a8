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

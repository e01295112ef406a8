// SPDX-License-Identifier: MIT
// Breakpoints: where a run that goes on is held, where going on in the past stops, and how they move.
#include "base/moved_lines.hpp"
#include "bench_fixture.hpp"

namespace {

using Lines = std::set<int>;

TEST(moved_lines, text_above_moves_a_mark_and_text_below_does_not) {
  EXPECT_EQ(lab::moved_lines({2}, "a\nb\nc\n", "x\na\nb\nc\n"), Lines{3});
  EXPECT_EQ(lab::moved_lines({2}, "a\nb\nc\n", "a\nx\ny\nb\nc\n"), Lines{4});
  EXPECT_EQ(lab::moved_lines({2}, "a\nb\nc\n", "a\nb\nx\nc\n"), Lines{2});
  EXPECT_EQ(lab::moved_lines({3}, "a\nb\nc\n", "b\nc\n"), Lines{2});
  EXPECT_EQ(lab::moved_lines({1}, "a\nb\nc\n", "a\nc\n"), Lines{1});
  EXPECT_EQ(lab::moved_lines({1, 3}, "a\nb\nc\n", "a!\nb!\nc!\n"), (Lines{1, 3}));
}

TEST(moved_lines, marks_on_lines_that_went_away_stay_at_the_place) {
  EXPECT_EQ(lab::moved_lines({2, 3}, "a\nb\nc\nd\n", "a\nd\n"), Lines{2});
  EXPECT_EQ(lab::moved_lines({2}, "a\nb\n", ""), Lines{1});
  EXPECT_EQ(lab::moved_lines({}, "a\n", ""), Lines{});
}

class breakpoints : public lab_model_test::BenchTest {};

TEST_F(breakpoints, a_run_is_held_before_the_call_and_goes_on_from_there) {
  bench().open_lesson("first");
  bench().toggle_breakpoint("main.cpp", 7);  // cuCtxCreate
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Held; })) << problems();
  EXPECT_EQ(bench().store().calls(), 1u);
  EXPECT_EQ(bench().place(true).line, 7);
  bench().go_on();
  ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; })) << problems();
  EXPECT_EQ(bench().store().calls(), 3u);
}

TEST_F(breakpoints, in_the_past_going_on_stops_there_too) {
  bench().open_lesson("first");
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; })) << problems();
  bench().toggle_breakpoint("main.cpp", 8);
  bench().jump(0);
  bench().go_on();
  EXPECT_EQ(bench().call_at_cursor(), 2u);
  EXPECT_EQ(bench().place(true).line, 8);
  bench().go_on();
  EXPECT_TRUE(bench().at_end());
}

TEST_F(breakpoints, those_of_a_run_stay_at_its_own_lines_while_the_text_is_edited) {
  bench().open_lesson("1");
  bench().toggle_breakpoint("main.cpp", 8);
  bench().run(true);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Held; })) << problems();
  bench().set_file_text("main.cpp", "// one line more\n" + bench().file_text("main.cpp"));
  EXPECT_EQ(bench().breakpoints("main.cpp"), std::set<int>{9});
  bench().go_on();  // the program that runs still has it in line 8
  ASSERT_TRUE(wait_for([&] {
    return bench().phase() == lab::RunPhase::Ended ||
           (bench().phase() == lab::RunPhase::Held && bench().call_at_cursor() == 2);
  }));
  EXPECT_EQ(bench().phase(), lab::RunPhase::Held);
  EXPECT_EQ(bench().place(true).line, 8);
}

TEST_F(breakpoints, one_taken_away_or_on_a_line_without_a_call_holds_nothing) {
  bench().open_lesson("first");
  bench().toggle_breakpoint("main.cpp", 7);
  bench().toggle_breakpoint("main.cpp", 7);
  EXPECT_TRUE(bench().breakpoints("main.cpp").empty());
  bench().toggle_breakpoint("main.cpp", 3);
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; })) << problems();
  EXPECT_EQ(bench().store().calls(), 3u);
}

TEST_F(breakpoints, they_move_with_the_text_and_go_with_the_lesson) {
  bench().open_lesson("first");
  bench().toggle_breakpoint("main.cpp", 7);
  bench().set_file_text("main.cpp", "\n" + bench().file_text("main.cpp"));
  EXPECT_EQ(bench().breakpoints("main.cpp"), Lines{8});
  bench().open_lesson("second");
  EXPECT_TRUE(bench().breakpoints("main.cpp").empty());
}

}  // namespace

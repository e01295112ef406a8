// SPDX-License-Identifier: MIT
// A window that is opened again shows the run that it was closed with; what is no more of that run's time is
// not shown as if it were.
#include <csignal>

#include "bench_fixture.hpp"

namespace {

using lab::RunPhase;

class last_run : public lab_model_test::BenchTest {
 protected:
  void run_to_its_end() {
    bench().run(false);
    ASSERT_TRUE(wait_for([&] { return bench().phase() == RunPhase::Ended; })) << problems();
  }
  // Another window, at the same data.
  void open_again(const std::string& lesson = "first") {
    bench_.reset();
    bench().open_lesson(lesson);
  }
  bool comes_back(std::optional<std::size_t> calls = std::nullopt) {
    bench().bring_back_run(calls);
    return wait_for([&] { return bench().phase() == RunPhase::Ended; }, 5);
  }
  bool nothing_comes_back() {
    bench().bring_back_run(std::nullopt);
    for (int i = 0; i < 200; ++i) {
      bench().poll();
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return bench().phase() == RunPhase::Idle && bench().store().calls() == 0;
  }
};

TEST_F(last_run, is_shown_again_at_its_end_with_how_it_ended) {
  bench().open_lesson("first");
  run_to_its_end();
  open_again();
  EXPECT_EQ(bench().store().calls(), 0u);  // nobody asked for it
  ASSERT_TRUE(comes_back());
  EXPECT_EQ(bench().store().calls(), 3u);
  EXPECT_TRUE(bench().at_end());
  ASSERT_TRUE(bench().end());
  EXPECT_EQ(bench().end()->kind, trace::EndKind::Exit);
  EXPECT_EQ(bench().step_name(), "create");
  EXPECT_EQ(bench().line_now("main.cpp", 4), 4);
  EXPECT_TRUE(bench().problems().empty()) << problems();
}

TEST_F(last_run, is_shown_again_at_the_call_where_the_reader_was) {
  bench().open_lesson("first");
  run_to_its_end();
  open_again();
  ASSERT_TRUE(comes_back(1));
  EXPECT_TRUE(wait_for([&] { return bench().call_at_cursor() == 1; }, 5));
  bench().step();
  EXPECT_EQ(bench().call_at_cursor(), 2u);
}

TEST_F(last_run, is_edited_run_shared_and_compared_as_a_run_of_today) {
  bench().open_lesson("first");
  run_to_its_end();
  open_again();
  ASSERT_TRUE(comes_back());
  EXPECT_TRUE(bench().can_share());
  bench().set_file_text("main.cpp", "// mine\n" + bench().file_text("main.cpp"));
  EXPECT_TRUE(bench().edited("main.cpp"));
  EXPECT_TRUE(bench().changed_since_run("main.cpp"));
  EXPECT_EQ(bench().line_now("main.cpp", 4), 5);
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == RunPhase::Ended && bench().has_run_before(); }));
  bench().compare_with_run_before();
  EXPECT_TRUE(wait_for([&] { return bench().pair() != nullptr; }));
}

TEST_F(last_run, that_was_held_when_the_window_closed_is_shown_as_far_as_it_went) {
  bench().open_lesson("first");
  bench().run(true);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == RunPhase::Held; })) << problems();
  bench().step();
  ASSERT_TRUE(wait_for([&] { return bench().phase() == RunPhase::Held && bench().store().calls() == 1; }));
  open_again();
  ASSERT_TRUE(comes_back());
  EXPECT_EQ(bench().store().calls(), 2u);  // the second was held, and is the one that it ended in
  EXPECT_EQ(bench().store().result_at(bench().store().event_of_call(0)), 0);
  ASSERT_TRUE(bench().end());
  EXPECT_TRUE(bench().end()->asked_to());
}

TEST_F(last_run, is_the_last_one_although_it_made_no_call) {
  bench().open_lesson("first");
  run_to_its_end();
  bench().set_file_text("main.cpp", "int main() { return 7; }\n");
  run_to_its_end();
  open_again();
  ASSERT_TRUE(comes_back());
  EXPECT_EQ(bench().store().calls(), 0u);
  ASSERT_TRUE(bench().end());
  EXPECT_EQ(bench().end()->number, 7);
}

TEST_F(last_run, counts_nothing_twice) {
  bench().open_lesson("first");
  run_to_its_end();
  open_again();
  const lab::Progress before = bench().progress();
  ASSERT_TRUE(comes_back());
  EXPECT_EQ(bench().progress().lessons, before.lessons);
  EXPECT_EQ(bench().verdict(), nullptr);
}

TEST_F(last_run, of_another_lesson_is_not_shown) {
  bench().open_lesson("first");
  run_to_its_end();
  open_again("second");
  EXPECT_TRUE(nothing_comes_back());
}

TEST_F(last_run, that_was_not_shown_any_more_is_not_brought_back) {
  bench().open_lesson("first");
  run_to_its_end();
  bench().open_lesson("second");
  open_again();
  EXPECT_TRUE(nothing_comes_back());
}

TEST_F(last_run, of_a_text_that_did_not_compile_any_more_is_not_brought_back) {
  bench().open_lesson("first");
  run_to_its_end();
  bench().set_file_text("main.cpp", "int main() { return }\n");
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == RunPhase::BuildFailed; }));
  open_again();
  EXPECT_TRUE(nothing_comes_back());
}

TEST_F(last_run, does_not_take_the_place_of_one_that_was_started_meanwhile) {
  bench().open_lesson("first");
  run_to_its_end();
  open_again();
  bench().set_file_text("main.cpp", "int main() { return 7; }\n");
  bench().bring_back_run(std::nullopt);
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == RunPhase::Ended; })) << problems();
  ASSERT_TRUE(bench().end());
  EXPECT_EQ(bench().end()->number, 7);
}

TEST_F(last_run, that_cannot_be_read_is_left_out_without_a_word) {
  bench().open_lesson("first");
  run_to_its_end();
  bench_.reset();
  const auto file = folder_ / "data/last_run.dlrec";
  ASSERT_TRUE(lab_model_test::fs::exists(file));
  for (const std::string& text : {content(file).substr(0, 60), std::string("no recording")}) {
    put(file, text);
    open_again();
    EXPECT_TRUE(nothing_comes_back());
    EXPECT_TRUE(bench().problems().empty()) << problems();
  }
}

}  // namespace

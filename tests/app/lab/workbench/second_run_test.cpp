// SPDX-License-Identifier: MIT
// The run beside the shown one, without a workbench: what is beside, and when the comparison is there.
#include "workbench/second_run.hpp"

#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "run/last_run.hpp"

namespace {

class second_run : public testing::Test {
 protected:
  struct Past {  // a complete run and its model
    std::shared_ptr<lab::Session> session;
    std::unique_ptr<lab::Model> model;
  };
  static Past past(const std::string& lesson) {
    Past run;
    run.session = lab::session_of_past(REAL_RECORDINGS "/h200_" + lesson + ".dlrec");
    run.model = std::make_unique<lab::Model>(run.session->store());
    run.model->follow();
    return run;
  }
  bool polled_until(const Past& shown, auto condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < until) {
      second_.poll({shown.session, shown.session->store(), shown.model->moments()});
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }

  lab::ProblemList problems_;
  lab::SecondRun second_{problems_, std::make_shared<lab::Wake>()};
};

TEST_F(second_run, nothing_is_beside_until_one_is_chosen) {
  second_.choose_run_before();  // there is none
  EXPECT_FALSE(second_.other());
  Past before = past("05_context_stack");
  second_.keep(before.session, std::move(before.model));
  EXPECT_TRUE(second_.has_run_before());
  EXPECT_FALSE(second_.other());
  second_.choose_run_before();
  ASSERT_TRUE(second_.other());
  EXPECT_FALSE(second_.other()->recording);
  EXPECT_EQ(second_.other()->store, &before.session->store());
  second_.clear();
  EXPECT_FALSE(second_.other());
  EXPECT_FALSE(second_.has_run_before());
}

TEST_F(second_run, a_comparison_is_of_the_two_runs_that_are_there_now) {
  const Past shown = past("05_context_stack");
  Past before = past("05_context_stack");
  second_.keep(before.session, std::move(before.model));
  second_.choose_run_before();
  const trace::Store& store = shown.session->store();
  ASSERT_TRUE(polled_until(shown, [&] { return second_.pair(store) != nullptr; }));
  EXPECT_FALSE(second_.pair(store)->comparison().first);
  EXPECT_EQ(second_.pair(before.session->store()), nullptr);  // a store that is not shown
  Past another = past("08_memory");
  second_.keep(another.session, std::move(another.model));
  EXPECT_EQ(second_.pair(store), nullptr);
  ASSERT_TRUE(polled_until(shown, [&] { return second_.pair(store) != nullptr; }));
  EXPECT_TRUE(second_.pair(store)->comparison().first);
}

TEST_F(second_run, a_run_that_grows_is_not_compared) {
  const Past shown = past("05_context_stack");
  Past before = past("05_context_stack");
  second_.keep(before.session, std::move(before.model));
  second_.choose_run_before();
  for (int i = 0; i < 100; ++i) {
    second_.poll({shown.session, shown.session->store(), shown.model->moments(), true});
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_EQ(second_.pair(shown.session->store()), nullptr);
}

TEST_F(second_run, a_recording_is_there_at_once_and_names_its_driver_when_it_is_read) {
  const Past shown = past("05_context_stack");
  second_.choose_recording(REAL_RECORDINGS "/h200_05_context_stack.dlrec");
  ASSERT_TRUE(second_.other());
  EXPECT_TRUE(second_.other()->recording);
  EXPECT_EQ(second_.other()->file, "h200_05_context_stack.dlrec");
  EXPECT_TRUE(second_.other()->loading);  // no poll() has taken it over
  ASSERT_TRUE(polled_until(shown, [&] { return second_.pair(shown.session->store()) != nullptr; }));
  EXPECT_NE(second_.other()->driver.find("H200"), std::string::npos);
  EXPECT_TRUE(problems_.all().empty());
}

TEST_F(second_run, only_the_run_before_is_a_ghost_and_only_where_it_is_different) {
  const Past shown = past("05_context_stack");
  const trace::Store& store = shown.session->store();
  using Beside = lab::Workbench::Beside;
  const auto compared_with = [&](const char* recording, Beside as) {
    second_.choose_recording(std::string(REAL_RECORDINGS "/") + recording, as);
    return polled_until(shown, [&] { return second_.pair(store) != nullptr; });
  };
  ASSERT_TRUE(compared_with("h200_08_memory.dlrec", Beside::RunBefore));
  EXPECT_NE(second_.ghost(store), nullptr);
  EXPECT_FALSE(second_.other()->recording);
  ASSERT_TRUE(compared_with("h200_08_memory.dlrec", Beside::AnotherRun));
  EXPECT_EQ(second_.ghost(store), nullptr);
  EXPECT_TRUE(second_.other()->recording);
  ASSERT_TRUE(compared_with("h200_05_context_stack.dlrec", Beside::RunBefore));
  EXPECT_EQ(second_.ghost(store), nullptr);
  Past before = past("08_memory");
  second_.keep(before.session, std::move(before.model));
  second_.choose_run_before();
  ASSERT_TRUE(polled_until(shown, [&] { return second_.pair(store) != nullptr; }));
  EXPECT_NE(second_.ghost(store), nullptr);
}

TEST_F(second_run, a_recording_that_cannot_be_read_is_told_and_goes) {
  const Past shown = past("05_context_stack");
  second_.choose_recording(REAL_RECORDINGS "/README.md");
  EXPECT_TRUE(polled_until(shown, [&] { return !second_.other(); }));
  EXPECT_EQ(problems_.all().size(), 1u);
}

TEST(problem_list, has_each_problem_once_and_the_newest_last) {
  const lab::Problem no_lesson{lab::Text::NoLessonOpen, {}}, not_saved{lab::Text::FileNotSaved, {"a"}};
  lab::ProblemList problems;
  problems.report(no_lesson);
  problems.report(not_saved);
  problems.report(no_lesson);
  EXPECT_EQ(problems.all(), (std::vector<lab::Problem>{not_saved, no_lesson}));
  problems.withdraw(not_saved);
  EXPECT_EQ(problems.all(), std::vector<lab::Problem>{no_lesson});
}

}  // namespace

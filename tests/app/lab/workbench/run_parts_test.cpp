// SPDX-License-Identifier: MIT
// The parts of the shown run, without a workbench: its text against the text of now, and its steps.
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "workbench/breakpoints.hpp"
#include "workbench/run_steps.hpp"
#include "workbench/run_text.hpp"

namespace {

namespace fs = std::filesystem;

class run_text : public testing::Test {
 protected:
  void SetUp() override {
    static int count = 0;
    folder_ = fs::temp_directory_path() /
              ("driverlab_run_text_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    home_.path = folder_ / "data";
    lab::Lesson lesson;
    lesson.folder = folder_ / "01_first";
    lesson.slug = "first";
    lesson.sources = {"main.cpp"};
    fs::create_directories(lesson.folder);
    std::ofstream(lesson.folder / "main.cpp") << "one\ntwo\nthree\n";
    files_.open(lesson);
    text_.set({{"main.cpp", "one\ntwo\nthree\n"}});
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path folder_;
  lab::DataHome home_;
  lab::ProblemList problems_;
  lab::OpenFiles files_{home_, problems_, std::make_shared<lab::Wake>(),
                        [this](const std::string& file, const std::string*) { text_.text_changed(file); }};
  lab::RunText text_{files_};
};

TEST_F(run_text, a_line_of_the_run_is_found_in_the_text_of_now) {
  EXPECT_FALSE(text_.changed("main.cpp"));
  EXPECT_EQ(text_.line_now("main.cpp", 2), 2);
  files_.type("main.cpp", "zero\none\nthree\n");
  EXPECT_TRUE(text_.changed("main.cpp"));
  EXPECT_EQ(text_.line_now("main.cpp", 1), 2);
  EXPECT_EQ(text_.line_now("main.cpp", 2), 0);  // gone
  EXPECT_EQ(text_.line_now("main.cpp", 9), 0);
  files_.type("main.cpp", "one\ntwo\n");  // what was known of the text before is forgotten
  EXPECT_EQ(text_.line_now("main.cpp", 2), 2);
  text_.set({});
  EXPECT_FALSE(text_.changed("main.cpp"));
}

TEST_F(run_text, a_breakpoint_is_told_in_the_lines_of_the_run) {
  files_.type("main.cpp", "zero\none\nthree\n");
  const std::set<lab::Breakpoint> now = {{"main.cpp", 1}, {"main.cpp", 3}, {"other.cpp", 7}};
  const std::set<lab::Breakpoint> run = {{"main.cpp", 3}, {"other.cpp", 7}};
  EXPECT_EQ(text_.lines_of_run(now), run);  // the run has no line "zero"
}

TEST_F(run_text, files_of_the_lesson_come_first) {
  text_.set({{"a.hpp", ""}, {"main.cpp", ""}, {"z.hpp", ""}});
  EXPECT_EQ(text_.files(), (std::vector<std::string>{"main.cpp", "a.hpp", "z.hpp"}));
}

TEST(breakpoint_list, has_a_line_once_and_moves_it_with_the_text) {
  lab::Breakpoints breakpoints;
  breakpoints.toggle("main.cpp", 0);  // no line
  EXPECT_TRUE(breakpoints.all().empty());
  EXPECT_FALSE(breakpoints.move("main.cpp", "a\n", "b\na\n"));
  breakpoints.toggle("main.cpp", 1);
  EXPECT_TRUE(breakpoints.move("main.cpp", "a\n", "b\na\n"));
  EXPECT_EQ(breakpoints.lines("main.cpp"), std::set<int>{2});
  breakpoints.toggle("main.cpp", 2);
  EXPECT_TRUE(breakpoints.all().empty());
}

TEST(run_steps, belong_to_calls_that_are_known_and_begin_anew_with_another_text) {
  support::Run run;
  run.init().place("main.cpp", 2);
  run.create(0x10).place("main.cpp", 4);
  run.push(0x10).place("main.cpp", 5);
  run.init().place("main.cpp", 2);
  trace::Store store;
  for (support::Call& call : run.calls()) store.append(call.event());
  lab::Sources sources = {{"main.cpp", "// step: start\na\n// step: create\nb\nc\n"}};
  lab::RunSteps steps(sources);
  EXPECT_TRUE(steps.starts(store, 0).empty());
  EXPECT_FALSE(steps.step_of(1, store, 1).known);
  EXPECT_EQ(steps.step_of(0, store, 1).name, "start");
  EXPECT_EQ(steps.calls_of("create", store, 4), (std::vector<std::size_t>{1, 2}));
  const auto& starts = steps.starts(store, 4);
  ASSERT_EQ(starts.size(), 3u);
  EXPECT_EQ(starts[2].step, "start");
  EXPECT_EQ(starts[2].call, 3u);
  EXPECT_EQ(steps.step_at_line("main.cpp", 4), "create");
  sources.clear();
  steps.begin();
  EXPECT_FALSE(steps.step_of(0, store, 4).known);
  EXPECT_TRUE(steps.calls_of("create", store, 4).empty());
}

}  // namespace

// SPDX-License-Identifier: MIT
// The workbench in two languages: files that nobody edited follow the reader, on the same lines; edited ones
// stay.
#include <gmock/gmock.h>

#include "bench_fixture.hpp"

namespace {

using lab::Language;
using testing::HasSubstr;
using testing::Not;

const std::string kTold = R"(#include <cuda.h>
#include <cstdio>
#include <cstdlib>
// One comment.
int main() {
  cuInit(0);  // The driver begins.
  std::printf("one sentence in %s\n", std::getenv("DRIVERLAB_LANGUAGE"));
  int count = 0;
  cuDeviceGetCount(&count);
}
)";
const std::string kTranslated = R"(
[[comment]]
en = "One comment."
zh = "一条注释。"
[[comment]]
en = "The driver begins."
zh = "驱动开始工作。"
[[string]]
en = 'one sentence in %s\n'
zh = '一句话，语言为 %s\n'
[[comment]]
en = "Task."
zh = "任务。"
[[comment]]
en = "Solved."
zh = "答案。"
)";

class two_languages : public lab_model_test::BenchTest {
 protected:
  void SetUp() override {
    BenchTest::SetUp();
    const auto lesson = folder_ / "lessons/01_first";
    put_lesson("01_first", kTold,
               "[exercise]\nstart = \"exercise/main.cpp\"\nsolution = \"exercise/solution.cpp\"\n"
               "start_fails_with = \"x\"\n[exercise.task]\nen = \"Do.\"\nzh = "
               "\"做。\"\n[exercise.expect]\nexit = 0\n");
    put(lesson / "words.zh.toml", kTranslated);
    put(lesson / "exercise/main.cpp", "// Task.\nint main() {}\n");
    put(lesson / "exercise/solution.cpp", "// Solved.\nint main() {}\n");
  }
  const std::string& text() { return bench().file_text("main.cpp"); }
  void run_to_the_end() {
    bench().run(false);
    ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Ended; })) << problems();
  }
  std::string printed() {
    std::string out;
    for (std::size_t i = 0; i < bench().store().size(); ++i)
      if (bench().store().kind_at(i) == trace::EventKind::Output) out += bench().store().at(i).text;
    return out;
  }
  std::string on_disk() { return content(folder_ / "data/workspace/01_first/main.cpp"); }
};

TEST_F(two_languages, a_lesson_opened_in_chinese_shows_and_runs_the_chinese_text) {
  bench().set_language(Language::Chinese);
  bench().open_lesson("1");
  EXPECT_THAT(text(), HasSubstr("// 一条注释。\nint main() {\n  cuInit(0);  // 驱动开始工作。\n"));
  EXPECT_THAT(text(), Not(HasSubstr("One comment")));
  EXPECT_EQ(on_disk(), text());
  EXPECT_FALSE(bench().edited("main.cpp"));
  run_to_the_end();
  EXPECT_EQ(printed(), "一句话，语言为 zh\n");
}

TEST_F(two_languages, switching_switches_what_nobody_edited_back_and_forth) {
  bench().open_lesson("1");
  EXPECT_EQ(text(), kTold);
  bench().set_language(Language::Chinese);
  EXPECT_THAT(text(), HasSubstr("一条注释"));
  EXPECT_FALSE(bench().edited("main.cpp"));
  bench().set_language(Language::English);
  EXPECT_EQ(text(), kTold);
  EXPECT_EQ(on_disk(), kTold);
}

TEST_F(two_languages,
       an_edited_file_keeps_the_students_text_and_is_held_against_the_original_it_was_begun_from) {
  bench().set_language(Language::Chinese);
  bench().open_lesson("1");
  const std::string begun = text(), mine = "// mine\n" + begun;
  bench().set_file_text("main.cpp", mine);
  bench().set_language(Language::English);
  EXPECT_EQ(text(), mine);
  EXPECT_TRUE(bench().edited("main.cpp"));
  EXPECT_EQ(bench().original_text("main.cpp"), begun);
  bench_.reset();  // the window is closed, and opened in English
  bench().open_lesson("1");
  EXPECT_EQ(text(), mine);
  EXPECT_EQ(bench().original_text("main.cpp"), begun);
  bench().restore("main.cpp");
  EXPECT_EQ(text(), kTold);
  EXPECT_FALSE(bench().edited("main.cpp"));
}

TEST_F(two_languages, what_is_typed_back_to_an_original_is_not_edited) {
  bench().open_lesson("1");
  bench().set_file_text("main.cpp", "// mine\n" + kTold);
  bench().set_language(Language::Chinese);
  bench().set_file_text("main.cpp", kTold);
  EXPECT_FALSE(bench().edited("main.cpp"));
  bench().set_language(Language::English);
  bench().set_language(Language::Chinese);
  EXPECT_THAT(text(), HasSubstr("一条注释"));
}

TEST_F(two_languages, breakpoints_and_results_keep_their_lines) {
  bench().open_lesson("1");
  bench().toggle_breakpoint("main.cpp", 9);
  bench().run(false);
  ASSERT_TRUE(wait_for([&] { return bench().phase() == lab::RunPhase::Held; })) << problems();
  bench().set_language(Language::Chinese);
  EXPECT_EQ(bench().breakpoints("main.cpp"), std::set<int>{9});
  EXPECT_FALSE(bench().changed_since_run("main.cpp")) << "the words are others, not the program";
  EXPECT_EQ(bench().line_now("main.cpp", 6), 6) << "its comment is another one";
  // A line above moves what stands below it, in the language of now.
  bench().set_file_text("main.cpp", "// mine\n" + text());
  EXPECT_TRUE(bench().changed_since_run("main.cpp"));
  EXPECT_EQ(bench().line_now("main.cpp", 6), 7);
  EXPECT_EQ(bench().breakpoints("main.cpp"), std::set<int>{10});
}

TEST_F(two_languages, the_exercise_and_its_solution_are_in_the_language_of_the_students_file) {
  bench().set_language(Language::Chinese);
  bench().open_lesson("1");
  bench().enter_exercise(true);
  EXPECT_EQ(bench().file_text("exercise/main.cpp"), "// 任务。\nint main() {}\n");
  EXPECT_EQ(bench().solution(), "// 答案。\nint main() {}\n");
  bench().set_file_text("exercise/main.cpp", "// 任务。\nint main() { return 0; }\n");
  bench().set_language(Language::English);
  EXPECT_EQ(bench().solution(), "// 答案。\nint main() {}\n");
  bench().restore("exercise/main.cpp");
  EXPECT_EQ(bench().file_text("exercise/main.cpp"), "// Task.\nint main() {}\n");
  EXPECT_EQ(bench().solution(), "// Solved.\nint main() {}\n");
}

TEST_F(two_languages, words_that_cannot_be_read_are_told_and_the_lesson_opens_in_english) {
  put(folder_ / "lessons/01_first/words.zh.toml", "[[comment]]\nen = 'a'\n");
  bench().set_language(Language::Chinese);
  bench().open_lesson("1");
  EXPECT_EQ(text(), kTold);
  EXPECT_THAT(problems(), HasSubstr("words.zh.toml:1"));
}

}  // namespace

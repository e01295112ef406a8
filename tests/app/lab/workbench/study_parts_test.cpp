// SPDX-License-Identifier: MIT
// The parts of studying, without a workbench: the progress and its file, the exercises, the questions.
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "support/events.hpp"
#include "workbench/open_lesson.hpp"
#include "workbench/open_quiz.hpp"
#include "workbench/progress_file.hpp"
#include "workbench/study.hpp"

namespace {

namespace fs = std::filesystem;

const char* const kExercises = R"(sources = ["main.cpp"]
teaches = ["cuInit"]
documents = ["1"]
title = { en = "First", zh = "第一课" }
summary = { en = "Sum", zh = "摘要" }
[[exercise]]
name = "mend"
grade = "repair"
title = { en = "Mend", zh = "修复" }
start = "exercise/main.cpp"
solution = "exercise/solution.cpp"
start_fails_with = "x"
task = { en = "Do.", zh = "做。" }
[[exercise.hints]]
en = "One."
zh = "一。"
[[exercise.hints]]
en = "Two."
zh = "二。"
[exercise.expect]
exit = 0
calls = ["cuInit"]
)";
const char* const kQuestions = R"([[question]]
about = "start"
text = { en = "Why?", zh = "为什么？" }
[[question.answer]]
en = "Yes."
zh = "对。"
right = true
because = { en = "So.", zh = "因为。" }
[[question.answer]]
en = "No."
zh = "错。"
because = { en = "So.", zh = "因为。" }
)";

class study_parts : public testing::Test {
 protected:
  void SetUp() override {
    static int count = 0;
    folder_ = fs::temp_directory_path() /
              ("driverlab_study_parts_" + std::to_string(getpid()) + "_" + std::to_string(++count));
    const fs::path lesson = folder_ / "01_first";
    put(lesson / "lesson.toml", kExercises);
    put(lesson / "questions.toml", kQuestions);
    put(lesson / "main.cpp", "// step: start\nint main() {}\n");
    put(lesson / "notes.md", "<!-- step: start -->\n");
    put(lesson / "notes.zh.md", "<!-- step: start -->\n");
    put(lesson / "exercise/main.cpp", "int main() {}\n");
    put(lesson / "exercise/solution.cpp", "int main() {}\n");
    const auto read = lab::read_lesson(lesson);
    ASSERT_TRUE(read) << read.error().in(lab::Language::English);
    lesson_ = *read;
    fs::create_directories(data());
    progress_ = std::make_unique<lab::ProgressFile>(data(), problems_, std::make_shared<lab::Wake>());
  }
  void TearDown() override {
    progress_.reset();
    fs::remove_all(folder_);
  }
  static void put(const fs::path& path, const std::string& text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
  }
  fs::path data() const { return folder_ / "data"; }
  lab::LessonProgress written() {
    progress_->finish();
    const lab::Progress read = lab::read_progress(lab::progress_path(data()));
    const auto found = read.lessons.find("first");
    return found == read.lessons.end() ? lab::LessonProgress() : found->second;
  }
  bool polled_until(auto condition) {
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (std::chrono::steady_clock::now() < until) {
      progress_->poll();
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    return false;
  }
  std::string told() {
    std::string all;
    for (const lab::Problem& problem : problems_.all()) all += problem.in(lab::Language::English) + "\n";
    return all;
  }

  fs::path folder_;
  lab::Lesson lesson_;
  lab::ProblemList problems_;
  std::unique_ptr<lab::ProgressFile> progress_;
};

TEST_F(study_parts, progress_is_written_by_the_next_keep) {
  progress_->of_lesson("first").ran = true;
  EXPECT_FALSE(written().ran);
  progress_->keep();
  EXPECT_TRUE(written().ran);
}

TEST_F(study_parts, progress_that_cannot_be_written_is_told_until_it_is_written) {
  fs::remove_all(data());
  put(data(), "a file where a folder should be");
  progress_->of_lesson("first").ran = true;
  progress_->keep();
  EXPECT_TRUE(polled_until([&] { return problems_.all().size() == 1; }));
  fs::remove(data());
  fs::create_directories(data());
  progress_->keep();
  EXPECT_TRUE(polled_until([&] { return problems_.all().empty(); })) << told();
  EXPECT_TRUE(written().ran);
}

TEST_F(study_parts, hints_are_shown_one_by_one_and_counted_once) {
  lab::Study study(problems_, *progress_);
  EXPECT_EQ(study.exercise(), nullptr);
  study.show_hint();  // of nothing
  study.begin(lesson_);
  ASSERT_NE(study.exercise(), nullptr) << told();
  for (const std::size_t shown : {1u, 2u, 2u}) {
    study.show_hint();
    EXPECT_EQ(study.hints_shown(), shown);
  }
  study.begin(lesson_);  // another day
  EXPECT_EQ(study.hints_shown(), 0u);
  study.show_hint();
  EXPECT_EQ(written().exercises.at("mend").hints, 2);
  EXPECT_TRUE(written().opened);
}

TEST_F(study_parts, only_a_check_is_judged_and_only_the_lessons_own_run_counts_as_run) {
  support::Run run;
  run.init();
  trace::Store store;
  for (support::Call& call : run.calls()) store.append(call.event());
  lab::Model model(store);
  model.follow();
  lab::Study study(problems_, *progress_);
  study.begin(lesson_);
  study.take_end(lab::Study::Ran::Exercise, model, store, lab::RunEnd{});
  EXPECT_EQ(study.verdict(), nullptr);
  EXPECT_FALSE(written().ran);
  study.take_end(lab::Study::Ran::Lesson, model, store, lab::RunEnd{});
  EXPECT_EQ(study.verdict(), nullptr);
  EXPECT_TRUE(written().ran);
  study.take_end(lab::Study::Ran::Check, model, store, lab::RunEnd{});
  ASSERT_NE(study.verdict(), nullptr);
  EXPECT_TRUE(study.verdict()->passed());
  EXPECT_EQ(written().exercises.at("mend").checks, 1);
  EXPECT_FALSE(study.progress_of(*study.exercise()).passed_at.empty());
  study.show_solution(std::string("int main() {}\n"));
  EXPECT_FALSE(study.progress_of(*study.exercise()).solution_seen);  // it was passed before
  study.choose(*study.exercise());
  EXPECT_EQ(study.verdict(), nullptr);
  EXPECT_EQ(study.solution(), "");
}

TEST_F(study_parts, answers_about_a_recording_are_in_the_score_and_not_in_the_progress) {
  lab::Study study(problems_, *progress_);
  study.begin(lesson_);
  study.take_answers({true, false}, lab::Study::Counting::ForProgress);
  study.take_answers({true}, lab::Study::Counting::ForScore);
  EXPECT_EQ(study.score().asked, 3u);
  EXPECT_EQ(study.score().right, 2u);
  EXPECT_EQ(written().predicted, 2);
  EXPECT_EQ(written().predicted_right, 1);
  study.begin(lesson_);
  EXPECT_EQ(study.score().asked, 2u);
}

TEST_F(study_parts, the_first_answer_to_a_question_stays_until_it_begins_anew) {
  lab::OpenQuiz quiz(problems_, *progress_);
  quiz.answer(0, 0);  // no lesson asks
  quiz.open(lesson_);
  ASSERT_EQ(quiz.questions().size(), 1u) << told();
  quiz.answer(0, 1);
  EXPECT_FALSE(quiz.solved(0));
  quiz.answer(0, 0);
  quiz.answer(0, 9);  // no answer
  EXPECT_TRUE(quiz.solved(0));
  quiz.open(lesson_);
  EXPECT_TRUE(quiz.tried(0, 1));
  quiz.begin_anew();
  quiz.open(lesson_);
  EXPECT_FALSE(quiz.tried(0, 1));
  EXPECT_EQ(quiz.score().right, 0);
  EXPECT_EQ(written().quiz, "w");
}

TEST_F(study_parts, a_lesson_is_opened_with_its_notes_files_and_questions_in_place_of_the_one_before) {
  lab::DataHome home;
  home.path = data();
  std::string moved;
  lab::OpenLesson open(home, problems_, *progress_, std::make_shared<lab::Wake>(),
                       [&](const std::string& file, bool breakpoints) {
                         if (breakpoints) moved += file;
                       });
  EXPECT_EQ(open.get(), nullptr);
  open.open(lesson_);
  ASSERT_NE(open.get(), nullptr);
  EXPECT_EQ(open.notes(lab::Language::English), "<!-- step: start -->\n");
  EXPECT_EQ(open.quiz().questions().size(), 1u) << told();
  open.breakpoints().toggle("main.cpp", 2);
  open.files().type("main.cpp", "// new\n// step: start\nint main() {}\n");
  EXPECT_EQ(moved, "main.cpp");
  EXPECT_EQ(open.breakpoints().lines("main.cpp"), std::set<int>{3});
  fs::remove(lesson_.folder / "notes.md");
  open.open(lab::exercise_as_lesson(lesson_, lab::read_exercises(lesson_)->front()));
  EXPECT_EQ(open.files().names(), std::vector<std::string>{"exercise/main.cpp"});
  EXPECT_TRUE(open.breakpoints().all().empty());
  EXPECT_EQ(open.notes(lab::Language::English), "");  // and a problem says why
  EXPECT_EQ(problems_.all().size(), 1u) << told();
}

}  // namespace

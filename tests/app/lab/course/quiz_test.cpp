// SPDX-License-Identifier: MIT
// The questions at the end of a lesson: read strictly, answered, and kept in the progress.
#include "lab/quiz.hpp"

#include <algorithm>

#include <gmock/gmock.h>

#include "bench_fixture.hpp"

namespace {

using testing::HasSubstr;

constexpr const char* kQuestion = R"([[question]]
about = "start"
[question.text]
en = "Why is the stack empty?"
zh = "栈为什么是空的？"
[[question.answer]]
en = "The context was destroyed."
zh = "上下文已被销毁。"
[question.answer.because]
en = "It is still there."
zh = "它还在。"
[[question.answer]]
en = "It was popped."
zh = "它已出栈。"
right = true
[question.answer.because]
en = "`cuCtxPopCurrent` took it off."
zh = "`cuCtxPopCurrent` 让它出栈了。"
)";

class quiz : public lab_model_test::BenchTest {
 protected:
  std::filesystem::path file(const std::string& lesson = "01_first") {
    return folder_ / "lessons" / lesson / "questions.toml";
  }
  void put_questions(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += kQuestion;
    put(file(), text);
  }
  lab::Result<std::vector<lab::QuizQuestion>> read() {
    return lab::read_quiz(*bench().catalogue().find("first"));
  }
  // The mistake is named in both languages with the file, the line and these words.
  void expect_mistake(const std::string& text, unsigned line, const std::string& words) {
    put(file(), text);
    const auto questions = read();
    ASSERT_FALSE(questions) << text;
    for (const auto language : {lab::Language::English, lab::Language::Chinese}) {
      const std::string said = questions.error().in(language);
      EXPECT_THAT(said, HasSubstr("01_first/questions.toml:" + std::to_string(line))) << text;
      EXPECT_THAT(said, HasSubstr(words)) << text;
    }
  }
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = kQuestion;
    return text.replace(text.find(from), from.size(), to);
  }
  const lab::LessonProgress& kept() { return bench().progress().lessons.at("first"); }
};

TEST_F(quiz, a_lesson_may_be_without_questions) {
  const auto questions = read();
  ASSERT_TRUE(questions);
  EXPECT_TRUE(questions->empty());
  bench().open_lesson("first");
  EXPECT_TRUE(bench().quiz().empty());
  EXPECT_TRUE(bench().problems().empty()) << problems();
}

TEST_F(quiz, questions_are_read_whole_in_the_order_of_the_file) {
  put_questions(2);
  const auto questions = read();
  ASSERT_TRUE(questions) << questions.error().in(lab::Language::English);
  ASSERT_EQ(questions->size(), 2u);
  const lab::QuizQuestion& first = questions->front();
  EXPECT_EQ(first.about, "start");
  EXPECT_EQ(first.text[0], "Why is the stack empty?");
  EXPECT_EQ(first.text[1], "栈为什么是空的？");
  ASSERT_EQ(first.answers.size(), 2u);
  EXPECT_FALSE(first.answers[0].right);
  EXPECT_TRUE(first.answers[1].right);
  EXPECT_EQ(first.answers[0].text[1], "上下文已被销毁。");
  EXPECT_EQ(first.answers[1].because[0], "`cuCtxPopCurrent` took it off.");
}

TEST_F(quiz, each_mistake_is_named_with_its_line_and_what_was_expected) {
  expect_mistake("[[question]\n", 1, "TOML");
  expect_mistake("[question]\n", 1, "[[question]]");
  expect_mistake(with("about", "step"), 2, "text, about, answer");
  expect_mistake(with("about = \"start\"\n", ""), 1, "about");
  expect_mistake(with("\"start\"", "3"), 2, "about");
  expect_mistake(with("en = \"Why is the stack empty?\"\n", ""), 3, "en");
  expect_mistake(with("\"栈为什么是空的？\"", "\"\""), 5, "zh");
  expect_mistake(with("zh = \"它已出栈。\"\n", ""), 12, "zh");
  expect_mistake(with("right = true", "right = \"yes\""), 15, "right = true");
  expect_mistake(with("right = true", "correct = true"), 15, "en, zh, right, because");
  expect_mistake(with("[question.answer.because]\nen = \"It is still there.\"\nzh = \"它还在。\"\n", ""), 6,
                 "[because]");
  expect_mistake(with("zh = \"它还在。\"\n", ""), 9, "zh");
}

TEST_F(quiz, each_question_has_one_right_answer_of_two_to_five) {
  expect_mistake(with("right = true\n", ""), 1, "right = true");
  expect_mistake(with("zh = \"上下文已被销毁。\"\n", "zh = \"上下文已被销毁。\"\nright = true\n"), 1,
                 "right = true");
  const std::string all = kQuestion;
  const std::string wrong = all.substr(all.find("[[question.answer]]"),
                                       all.rfind("[[question.answer]]") - all.find("[[question.answer]]"));
  expect_mistake(with(wrong, ""), 1, "[[question.answer]]");
  expect_mistake(all + wrong + wrong + wrong + wrong, 1, "[[question.answer]]");
  put(file(), all + wrong + wrong + wrong);
  EXPECT_TRUE(read());
}

TEST_F(quiz, a_question_is_about_a_step_of_the_notes) {
  expect_mistake(with("\"start\"", "\"create\""), 2, "start");  // a step of the source that has no notes
}

TEST_F(quiz, more_questions_than_can_be_meant_are_a_mistake) {
  put_questions(21);
  const auto questions = read();
  ASSERT_FALSE(questions);
  EXPECT_THAT(questions.error().in(lab::Language::English), HasSubstr("21"));
  put_questions(20);
  EXPECT_TRUE(read());
}

TEST_F(quiz, a_mistake_is_told_when_the_lesson_is_opened_and_hides_it_not) {
  put(file(), "[[question]]\n");
  bench().open_lesson("first");
  EXPECT_NE(bench().lesson(), nullptr);
  EXPECT_TRUE(bench().quiz().empty());
  EXPECT_THAT(problems(), HasSubstr("questions.toml:1"));
}

TEST_F(quiz, a_wrong_answer_may_be_tried_again_and_the_first_one_counts) {
  put_questions(3);
  bench().open_lesson("first");
  ASSERT_EQ(bench().quiz().size(), 3u) << problems();
  bench().answer_quiz(0, 0);
  EXPECT_TRUE(bench().quiz_tried(0, 0));
  EXPECT_FALSE(bench().quiz_tried(0, 1));
  EXPECT_FALSE(bench().quiz_solved(0));
  bench().answer_quiz(0, 1);
  EXPECT_TRUE(bench().quiz_tried(0, 0));
  EXPECT_TRUE(bench().quiz_solved(0));
  bench().answer_quiz(2, 1);
  EXPECT_EQ(bench().quiz_score().answered, 2);
  EXPECT_EQ(bench().quiz_score().right, 1);
  EXPECT_EQ(kept().quiz, "w-r");
  bench().answer_quiz(3, 0);  // there is no such question, and no such answer
  bench().answer_quiz(1, 2);
  EXPECT_EQ(kept().quiz, "w-r");
}

TEST_F(quiz, the_first_answers_are_kept_and_the_questions_begin_anew_with_the_lesson) {
  put_questions(2);
  bench().open_lesson("first");
  bench().answer_quiz(1, 0);
  bench_.reset();  // waits for what is being written
  bench().open_lesson("first");
  EXPECT_EQ(kept().quiz, "-w");
  EXPECT_FALSE(bench().quiz_tried(1, 0));
  bench().answer_quiz(1, 1);
  EXPECT_EQ(kept().quiz, "-w") << "the first answer was of another day";
  EXPECT_EQ(bench().quiz_score().answered, 1);
  EXPECT_EQ(bench().quiz_score().right, 0);
  bench().open_lesson("second");
  EXPECT_EQ(bench().quiz_score().answered, 0);
}

TEST_F(quiz, answers_stay_while_the_exercise_is_open) {
  put_lesson("03_task", lab_model_test::kSource,
             "[exercise]\nstart = \"exercise/main.cpp\"\nstart_fails_with = \"cuInit\"\n"
             "solution = \"exercise/main.cpp\"\n[exercise.task]\nen = \"Call it.\"\nzh = \"调用它。\"\n"
             "[exercise.expect]\nexit = 0\n");
  put(folder_ / "lessons/03_task/exercise/main.cpp", "int main() {}\n");
  put(file("03_task"), kQuestion);
  bench().open_lesson("task");
  ASSERT_EQ(bench().quiz().size(), 1u) << problems();
  bench().answer_quiz(0, 1);
  bench().enter_exercise(true);
  ASSERT_TRUE(bench().in_exercise()) << problems();
  ASSERT_EQ(bench().quiz().size(), 1u) << problems();
  EXPECT_TRUE(bench().quiz_solved(0));
}

TEST_F(quiz, a_progress_of_an_older_version_or_a_broken_one_has_no_answers) {
  const auto path = lab::progress_path(folder_ / "data");
  put(path, R"({"lessons": {"01_first": {"opened": true, "checks": 2}, "02_second": {"quiz": "rX\u0000w"},
    "03_third": {"quiz": 3}}})");
  const auto lessons = lab::read_progress(path).lessons;
  EXPECT_EQ(lessons.at("first").exercises.at("repair").checks, 2);
  EXPECT_EQ(lessons.at("first").quiz, "");
  EXPECT_EQ(lessons.at("second").quiz, "r--w");
  EXPECT_EQ(lessons.at("third").quiz, "");
  put(path, R"({"lessons": {"01_first": {"quiz": ")" + std::string(1000, 'r') + "\"}}}");
  EXPECT_EQ(lab::read_progress(path).lessons.at("first").quiz, std::string(20, 'r'));
}

TEST_F(quiz, answers_that_two_programs_wrote_are_taken_together) {
  lab::Progress mine, theirs;
  mine.lessons["x"].quiz = "r-";
  theirs.lessons["x"].quiz = "wwr";
  lab::merge(mine, theirs);
  EXPECT_EQ(mine.lessons["x"].quiz, "rwr");
}

// Those of the course.
TEST_F(quiz, the_questions_of_every_lesson_can_be_read) {
  const auto real = lab::find_installation();
  ASSERT_TRUE(real);
  for (const lab::Lesson& lesson : lab::read_catalogue(real->lessons).lessons) {
    const auto questions = lab::read_quiz(lesson);
    EXPECT_TRUE(questions) << questions.error().in(lab::Language::English);
  }
}

}  // namespace

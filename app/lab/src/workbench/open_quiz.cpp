// SPDX-License-Identifier: MIT
// See open_quiz.hpp.
#include "workbench/open_quiz.hpp"

#include <utility>

namespace lab {

void OpenQuiz::open(const Lesson& lesson) {
  if (folder_ == lesson.folder) return;
  folder_ = lesson.folder;
  slug_ = lesson.slug;
  questions_.clear();
  if (auto questions = read_quiz(lesson))
    questions_ = std::move(*questions);
  else
    problems_.report(questions.error());
  tried_.clear();
  for (const QuizQuestion& question : questions_) tried_.emplace_back(question.answers.size(), false);
}

void OpenQuiz::close() {
  questions_.clear();
  tried_.clear();
  folder_.clear();
  slug_.clear();
}

bool OpenQuiz::solved(std::size_t question) const {
  const auto& answers = questions_.at(question).answers;
  for (std::size_t i = 0; i < answers.size(); ++i)
    if (answers[i].right) return tried(question, i);
  return false;
}

void OpenQuiz::answer(std::size_t question, std::size_t answer) {
  if (question >= questions_.size() || answer >= questions_[question].answers.size()) return;
  tried_[question][answer] = true;
  LessonProgress& mine = progress_.of_lesson(slug_);
  const LessonProgress before = mine;
  count_quiz_answer(mine, question, questions_[question].answers[answer].right);
  if (!(mine == before)) progress_.keep();
}

QuizScore OpenQuiz::score() const {
  const auto& lessons = progress_.progress().lessons;
  const auto found = lessons.find(slug_);
  return found == lessons.end() ? QuizScore{} : quiz_score(found->second);
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// See study.hpp.
#include "workbench/study.hpp"

#include <algorithm>
#include <utility>

namespace lab {

void Study::begin(const Lesson& lesson) {
  lesson_ = lesson;
  hints_.clear();
  exercises_.clear();
  chosen_ = 0;
  solution_.clear();
  verdict_.reset();
  if (auto exercises = read_exercises(lesson))
    exercises_ = std::move(*exercises);
  else
    problems_.report(exercises.error());
  LessonProgress& progress = mine();
  score_ = {};
  score_.asked = static_cast<std::size_t>(progress.predicted);
  score_.right = static_cast<std::size_t>(progress.predicted_right);
  if (!progress.opened) progress.opened = true, progress_.keep();
}

void Study::close() {
  lesson_.reset();
  exercises_.clear();
  chosen_ = 0;
  solution_.clear();
  verdict_.reset();
  score_ = {};
}

void Study::choose(const Exercise& one) {
  chosen_ = static_cast<std::size_t>(&one - exercises_.data());
  solution_.clear();
  verdict_.reset();
}

bool Study::is_exercise(const Lesson& opened) const {
  return exercise() != nullptr && opened.sources.front() == exercise()->start;
}

ExerciseProgress Study::progress_of(const Exercise& one) const {
  return lesson_ ? lab::progress_of(progress_.progress(), *lesson_, one.name) : ExerciseProgress();
}

std::size_t Study::hints_shown() const {
  if (exercise() == nullptr) return 0;
  const auto shown = hints_.find(exercise()->name);
  return shown == hints_.end() ? 0 : shown->second;
}

void Study::show_hint() {
  if (exercise() == nullptr || hints_shown() >= exercise()->hints.size()) return;
  const int shown = static_cast<int>(++hints_[exercise()->name]);
  if (shown <= mine_of_exercise().hints) return;
  mine_of_exercise().hints = shown;
  progress_.keep();
}

void Study::show_solution(const Result<std::string>& text) {
  if (text)
    solution_ = *text;
  else
    problems_.report(text.error());
  ExerciseProgress& progress = mine_of_exercise();
  if (progress.passed_at.empty() && !progress.solution_seen) progress.solution_seen = true, progress_.keep();
}

void Study::take_end(Ran what, const Model& model, const trace::Store& store, const RunEnd& end) {
  const LessonProgress before = mine();
  if (what == Ran::Lesson && end.kind == trace::EndKind::Exit) mine().ran = true;
  if (what == Ran::Check && exercise() != nullptr) {
    verdict_ = judge(exercise()->expect, model, store, end);
    count_check(mine_of_exercise(), verdict_->passed());
  }
  if (!(mine() == before)) progress_.keep();
}

void Study::take_answers(const std::vector<bool>& right, Counting counting) {
  if (right.empty()) return;
  for (const bool each : right) score_.add(each);
  if (counting != Counting::ForProgress || !lesson_) return;
  mine().predicted += static_cast<int>(right.size());
  mine().predicted_right += static_cast<int>(std::count(right.begin(), right.end(), true));
  progress_.keep();
}

}  // namespace lab

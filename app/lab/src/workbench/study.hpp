// SPDX-License-Identifier: MIT
// What a student does with the open lesson: its exercises, the chosen one of them, its hints, solution and
// verdict, the score of answered questions, and what of this counts for the progress. A part of the
// workbench.
//
// It never runs anything: it is told of runs that have ended. exercise() is one of exercises(), or null if
// the lesson has none; the verdict is of exercise(). Owned by the thread that draws.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "lab/exercise.hpp"
#include "lab/predict.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/progress_file.hpp"

namespace lab {

class Study {
 public:
  Study(ProblemList& problems, ProgressFile& progress) : problems_(problems), progress_(progress) {}
  void begin(const Lesson& lesson);  // a lesson is opened
  void close();                      // and none is open
  // The lesson in its folder, also while its exercise or a recording is open; null before begin().
  const Lesson* lesson() const { return lesson_ ? &*lesson_ : nullptr; }

  const std::vector<Exercise>& exercises() const { return exercises_; }
  const Exercise* exercise() const { return exercises_.empty() ? nullptr : &exercises_[chosen_]; }
  void choose(const Exercise& one);              // of exercises()
  bool is_exercise(const Lesson& opened) const;  // the chosen one, as a lesson
  ExerciseProgress progress_of(const Exercise& one) const;
  std::size_t hints_shown() const;
  void show_hint();
  void show_solution(const Result<std::string>& text);  // notes that it was seen
  const std::string& solution() const { return solution_; }

  enum class Ran { Lesson, Exercise, Check };
  // The model has followed the store to its end. A check gets its verdict.
  void take_end(Ran what, const Model& model, const trace::Store& store, const RunEnd& end);
  const Verdict* verdict() const { return verdict_ ? &*verdict_ : nullptr; }
  void drop_verdict() { verdict_.reset(); }

  // Answers before calls: which were right. Only the student's own runs count for the progress.
  enum class Counting { ForProgress, ForScore };
  void take_answers(const std::vector<bool>& right, Counting counting);
  const Score& score() const { return score_; }
  void drop_score() { score_ = {}; }

 private:
  LessonProgress& mine() { return progress_.of_lesson(lesson_->slug); }
  ExerciseProgress& mine_of_exercise() { return mine().exercises[exercise()->name]; }

  ProblemList& problems_;
  ProgressFile& progress_;
  std::optional<Lesson> lesson_;
  std::vector<Exercise> exercises_;
  std::size_t chosen_ = 0;  // of them
  std::string solution_;
  std::map<std::string, std::size_t> hints_;  // shown since the lesson was opened, by name of the exercise
  std::optional<Verdict> verdict_;
  Score score_;
};

}  // namespace lab

// SPDX-License-Identifier: MIT
// The questions at the end of the open lesson, or of the recording's, and what was tried of their answers. A
// part of the workbench.
//
// Every answer can be tried until the questions begin anew; the progress keeps the first answer to each. The
// lesson and its exercises are in one folder and share their questions.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "lab/quiz.hpp"
#include "workbench/problem_list.hpp"
#include "workbench/progress_file.hpp"

namespace lab {

class OpenQuiz {
 public:
  OpenQuiz(ProblemList& problems, ProgressFile& progress) : problems_(problems), progress_(progress) {}
  void open(const Lesson& lesson);  // what was answered stays answered if it is the same lesson
  void close();
  void begin_anew() { folder_.clear(); }  // with the next open()
  const std::vector<QuizQuestion>& questions() const { return questions_; }
  bool tried(std::size_t question, std::size_t answer) const { return tried_.at(question).at(answer); }
  bool solved(std::size_t question) const;  // its right answer was tried
  void answer(std::size_t question, std::size_t answer);
  QuizScore score() const;  // with the answers of earlier days

 private:
  ProblemList& problems_;
  ProgressFile& progress_;
  std::vector<QuizQuestion> questions_;
  std::vector<std::vector<bool>> tried_;  // by question and answer
  std::filesystem::path folder_;          // of the lesson that asks them
  std::string slug_;
};

}  // namespace lab

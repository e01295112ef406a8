// SPDX-License-Identifier: MIT
// The questions at the end of a lesson: what lessons/NN_slug/questions.toml says, read strictly. A lesson may
// be without.
//
// They ask why, and what to change. Each answer, also the right one, says why it is right or wrong. Questions
// about the next call of a run are something else: predict.hpp.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "lab/catalogue.hpp"
#include "lab/result.hpp"

namespace lab {

struct QuizAnswer {
  std::string text[2], because[2];  // by Language
  bool right = false;
};

struct QuizQuestion {
  std::string text[2];  // by Language
  std::string about;    // the step that shows the answer
  std::vector<QuizAnswer> answers;
};

inline constexpr std::size_t kMostQuizQuestions = 20, kFewestQuizAnswers = 2, kMostQuizAnswers = 5;

// In the order of the file; empty where there is none. Each question has one right answer and a step of the
// notes.
Result<std::vector<QuizQuestion>> read_quiz(const Lesson& lesson);

}  // namespace lab

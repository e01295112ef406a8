// SPDX-License-Identifier: MIT
// See answer_keys.hpp.
#include "answer_keys.hpp"

#include <optional>

namespace gui {
namespace {

bool quiz_takes(std::size_t number, lab::Workbench& bench, Selection& selection,
                std::vector<Command>& commands) {
  const std::vector<lab::QuizQuestion>& quiz = bench.quiz();
  const std::optional<std::size_t> meant = number == 0 ? selection.quiz_answered : selection.quiz.asked;
  if (!meant || *meant >= quiz.size()) return false;
  const lab::QuizQuestion& question = quiz[*meant];
  if (number > question.answers.size()) return false;
  if (number == 0) {
    commands.emplace_back(command::ShowStep{question.about});
  } else {
    bench.answer_quiz(*meant, number - 1);
    selection.quiz_answered = meant;
    commands.emplace_back(command::ScrollToAnswer{*meant, number - 1});
  }
  return true;
}

bool return_to_questions(const lab::Workbench& bench, std::vector<Command>& commands) {
  const std::size_t count = bench.quiz().size();
  if (count == 0) return false;
  std::size_t first = 0;
  while (first < count && bench.quiz_solved(first)) ++first;
  commands.emplace_back(command::ScrollToQuestion{first % count});
  return true;
}

}  // namespace

bool answer_takes(const KeyPress& press, lab::Workbench& bench, Selection& selection, bool about_call,
                  std::vector<Command>& commands) {
  if (press.ctrl || press.shift || press.repeat) return false;
  if (press.key < Key::Digit0 || press.key > Key::Digit9) return false;
  if (press.alt != (selection.editor_focus.now || selection.typing)) return false;
  const auto number = static_cast<std::size_t>(press.key) - static_cast<std::size_t>(Key::Digit0);
  if (number == 0 && selection.focus == "notes" && !selection.quiz.in_sight)
    return return_to_questions(bench, commands);
  if (selection.quiz.in_sight && (selection.focus == "notes" || !about_call))
    return quiz_takes(number, bench, selection, commands);
  const lab::Question* question = about_call ? bench.question() : nullptr;
  if (question == nullptr || number == 0 || number > question->choices.size()) return false;
  bench.answer(number - 1);
  return true;
}

}  // namespace gui

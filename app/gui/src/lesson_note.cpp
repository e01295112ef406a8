// SPDX-License-Identifier: MIT
// See lesson_note.hpp.
#include "lesson_note.hpp"

namespace gui {

using lab::Text;

LessonNote note_on(const lab::Progress& progress, const lab::Lesson& lesson, bool next,
                   lab::Language language) {
  LessonNote note;
  const std::size_t passed = lab::passed_exercises(progress, lesson), all = lesson.exercises.size();
  if (passed > 0)
    note.words = passed == all ? std::string(lab::text(Text::ExercisePassed, language))
                               : lab::text(Text::ExercisesPassed, language,
                                           {std::to_string(passed), std::to_string(all)});
  const auto known = progress.lessons.find(lesson.slug);
  const lab::QuizScore quiz =
      known == progress.lessons.end() ? lab::QuizScore{} : lab::quiz_score(known->second);
  if (quiz.answered > 0)
    note.words +=
        (note.words.empty() ? "" : " · ") +
        lab::text(Text::PredictScore, language, {std::to_string(quiz.right), std::to_string(quiz.answered)});
  if (note.words.empty()) {
    if (next) note = {std::string(lab::text(Text::LessonsNext, language)), Role::Accent};
    return note;
  }
  const bool all_passed = passed == 0 || passed == all;
  if (all_passed && quiz.right == quiz.answered) note.role = Role::Good;
  return note;
}

}  // namespace gui

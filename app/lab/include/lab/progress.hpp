// SPDX-License-Identifier: MIT
// A student's progress, lesson by lesson: kept in progress.json in the data home, shown in the window, and
// written as CSV for a teacher. Lessons are named by slug, because their numbers may change; files that name
// them "04_stack" are read too.
//
// Reading never fails: a file that cannot be understood is kept as progress.json.broken, and keys that this
// version does not know are written back. A plain value, so it is not thread-safe. Needs no window.
#pragma once
#include <filesystem>
#include <map>
#include <string>

#include "lab/catalogue.hpp"
#include "lab/text.hpp"

namespace lab {

struct ExerciseProgress {
  int checks = 0;
  int hints = 0;               // the largest number of hints shown
  bool solution_seen = false;  // before the exercise was passed
  std::string passed_at = {};  // ISO 8601, UTC; "" if not passed yet
  bool operator==(const ExerciseProgress&) const = default;
};

struct LessonProgress {
  bool opened = false, ran = false;                        // `ran`: a run of its program has ended
  std::map<std::string, ExerciseProgress> exercises = {};  // by name
  int predicted = 0, predicted_right = 0;  // answered questions before calls, and right answers
  // The first answer to each question at the end of the lesson: 'r' right, 'w' wrong, '-' none yet.
  std::string quiz = {};
  std::string unknown = {};  // as below, of this lesson
  bool operator==(const LessonProgress&) const = default;
};

struct Progress {
  std::map<std::string, LessonProgress> lessons;  // by slug: "context_stack"
  std::string unknown;                            // JSON object of the keys that this version does not know
};

std::filesystem::path progress_path(const std::filesystem::path& data_home);
Progress read_progress(const std::filesystem::path& path);
Result<bool> write_progress(const std::filesystem::path& path, const Progress& progress);
// Counts one more check, at this moment.
void count_check(ExerciseProgress& progress, bool passed);
// What is known of an exercise of this lesson; nothing has been done with it if nothing is known.
ExerciseProgress progress_of(const Progress& progress, const Lesson& lesson, const std::string& exercise);
// How many of the exercises that the lesson has are passed.
std::size_t passed_exercises(const Progress& progress, const Lesson& lesson);
// An answer to a question at the end of the lesson: the first one to each is kept.
void count_quiz_answer(LessonProgress& progress, std::size_t question, bool right);
struct QuizScore {
  int answered = 0, right = 0;  // right: at the first try
};
QuizScore quiz_score(const LessonProgress& progress);
// Whether the lesson's first exercise is passed.
bool is_done(const Progress& progress, const Lesson& lesson);
// The first lesson, part by part, whose program has not been run; null if all have.
const Lesson* next_lesson(const Progress& progress, const Catalogue& catalogue);
// Takes over what another program may have written meanwhile: for each field the more advanced value.
void merge(Progress& into, const Progress& other);
// A line for each lesson of the catalogue, after a line of column names (English: they are read by programs).
// checks, hints, solution_seen, passed and passed_at are of the lesson's first exercise; the last three
// columns are of all its exercises. RFC 4180, UTF-8.
std::string progress_csv(const Progress& progress, const Catalogue& catalogue, Language titles);

}  // namespace lab

// SPDX-License-Identifier: MIT
// driverlab progress: the progress with the exercises, for the student, or as CSV for a teacher.
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lab/files.hpp"
#include "lab/progress.hpp"
#include "lab/workspace.hpp"
#include "shell.hpp"

namespace cli {
namespace {

using T = lab::Text;

int write_csv(const Shell& shell, const std::string& file, const std::string& csv) {
  if (file == "-") {
    cli::print("{}", csv);
    return kDone;
  }
  if (const auto written = lab::write_file(file, csv); !written) return shell.fail(written.error(), kUsage);
  shell.say(T::ExerciseExported, {file});
  return kDone;
}

// "" if nothing has been done.
std::string words_of(const Shell& shell, const lab::ExerciseProgress& one) {
  if (!one.passed_at.empty()) return shell.text(T::CliProgressPassed, {one.passed_at.substr(0, 10)});
  if (one.checks == 0) return "";
  return shell.text(T::CliProgressOpen, {std::to_string(one.checks), std::to_string(one.hints)});
}

int show(const Shell& shell, const std::string& csv_file) {
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return shell.fail(lessons.error(), kNotHere);
  const lab::Progress progress = lab::read_progress(lab::progress_path(lab::data_home().path));
  if (!csv_file.empty())
    return write_csv(shell, csv_file, lab::progress_csv(progress, lessons->catalogue, shell.language));
  std::size_t passed = 0, all = 0;
  for (const lab::Lesson& lesson : lessons->catalogue.lessons) {
    const auto found = progress.lessons.find(lesson.slug);
    const lab::LessonProgress one = found == progress.lessons.end() ? lab::LessonProgress{} : found->second;
    const std::size_t passed_here = lab::passed_exercises(progress, lesson), here = lesson.exercises.size();
    std::string words = here == 1 ? words_of(shell, lab::progress_of(progress, lesson, lesson.exercises[0]))
                        : passed_here > 0 ? shell.text(T::ExercisesPassed,
                                                       {std::to_string(passed_here), std::to_string(here)})
                                          : "";
    const lab::QuizScore quiz = lab::quiz_score(one);
    if (quiz.answered > 0) {
      const std::string questions =
          shell.text(T::CliProgressQuestions, {std::to_string(quiz.answered), std::to_string(quiz.right)});
      if (!words.empty()) words += " · ";
      words += questions;
    }
    if (words.empty()) words = shell.text(T::CliProgressNone);
    passed += passed_here, all += here;
    const bool whole = here > 0 && passed_here == here;
    cli::print("{} {}  {}  {}\n", whole ? "✓" : " ", lab::lesson_number(lesson.number),
               padded(lesson.title[static_cast<std::size_t>(shell.language)], 32), words);
    if (here < 2) continue;
    for (const std::string& name : lesson.exercises) {
      const lab::ExerciseProgress done = lab::progress_of(progress, lesson, name);
      const std::string said = words_of(shell, done);
      if (!said.empty())
        cli::print("    {} {}  {}\n", done.passed_at.empty() ? " " : "✓", padded(name, 32), said);
    }
  }
  shell.say(T::CliProgressLine, {std::to_string(passed), std::to_string(all)});
  return kDone;
}

}  // namespace

void add_progress(CLI::App& app, Shell& shell) {
  const auto [sub, csv] = subcommand<std::string>(app, shell, "progress", T::CliProgressAbout, show);
  sub->add_option("--csv", *csv, shell.text(T::CliProgressCsvOption))->type_name("FILE");
}

}  // namespace cli

// SPDX-License-Identifier: MIT
// driverlab list: the lessons, for a person or as JSON.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "lab/exercise.hpp"
#include "lab/quiz.hpp"
#include "shell.hpp"

namespace cli {
namespace {

using T = lab::Text;

using nlohmann::ordered_json;

ordered_json both(const std::string (&text)[2]) {
  return {{"en", text[0]}, {"zh", text[1]}};
}

// Null: the lesson does not say.
template <class Value>
ordered_json or_null(bool there, const Value& value) {
  return there ? ordered_json(value) : ordered_json();
}

std::string level_of(const lab::Lesson& lesson, lab::Language language) {
  return lesson.level ? std::string(lab::text(lab::word_for(*lesson.level), language)) : std::string();
}

void print_json(const lab::Catalogue& catalogue) {
  ordered_json array = ordered_json::array();
  for (const lab::Lesson& lesson : catalogue.lessons)
    array.push_back({{"number", lesson.number},
                     {"slug", lesson.slug},
                     {"title", both(lesson.title)},
                     {"summary", both(lesson.summary)},
                     {"part", or_null(!lesson.part.empty(), lesson.part)},
                     {"level", or_null(lesson.level.has_value(), level_of(lesson, lab::Language::English))},
                     {"minutes", or_null(lesson.minutes > 0, lesson.minutes)},
                     {"needs", lesson.needs},
                     {"why", both(lesson.why)},
                     {"teaches", lesson.teaches},
                     {"documents", lesson.documents},
                     {"exercises", lesson.exercises},
                     {"folder", lesson.folder.string()}});
  cli::print("{}\n", array.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

// "    core · 30 min · The top of the stack decides …"
void print_lesson(const Shell& shell, const lab::Lesson& lesson) {
  const auto language = static_cast<std::size_t>(shell.language);
  cli::print("{}  {}  {}\n    {}\n", lab::lesson_number(lesson.number), padded(lesson.slug, 20),
             lesson.title[language], lesson.summary[language]);
  std::vector<std::string> more;
  if (lesson.level) more.push_back(level_of(lesson, shell.language));
  if (lesson.minutes > 0) more.push_back(shell.text(T::LessonsMinutes, {std::to_string(lesson.minutes)}));
  if (!lesson.why[language].empty()) more.push_back(lesson.why[language]);
  if (!more.empty()) cli::print("    {}\n", fmt::join(more, " · "));
  if (lesson.exercises.size() > 1)
    cli::print("    {}\n",
               shell.text(T::CliListExercises, {fmt::format("{}", fmt::join(lesson.exercises, ", "))}));
}

void print_parts(const Shell& shell, const lab::Catalogue& catalogue) {
  const auto language = static_cast<std::size_t>(shell.language);
  const std::vector<lab::LessonsOfPart> parts = lab::by_part(catalogue);
  for (const lab::LessonsOfPart& part : parts) {
    if (&part != &parts.front()) cli::print("\n");
    if (part.part != nullptr)
      cli::print("{}\n{}\n\n", part.part->title[language], part.part->about[language]);
    else if (parts.size() > 1)
      cli::print("{}\n\n", shell.text(T::LessonsOther));
    for (const lab::Lesson* lesson : part.lessons) print_lesson(shell, *lesson);
  }
}

int list(const Shell& shell, bool json) {
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return shell.fail(lessons.error(), kNotHere);
  if (json)
    print_json(lessons->catalogue);
  else if (lessons->catalogue.lessons.empty())
    shell.complain(T::CliNoLessons, {lessons->installation.lessons.string()});
  else
    print_parts(shell, lessons->catalogue);
  bool whole = lessons->catalogue.problems.empty();
  for (const lab::Problem& problem : lessons->catalogue.problems) shell.complain(problem);
  for (const lab::Lesson& lesson : lessons->catalogue.lessons) {
    if (const auto quiz = lab::read_quiz(lesson); !quiz) shell.complain(quiz.error()), whole = false;
    if (const auto exercises = lab::read_exercises(lesson); !exercises)
      shell.complain(exercises.error()), whole = false;
  }
  return whole ? kDone : kNo;
}

}  // namespace

void add_list(CLI::App& app, Shell& shell) {
  const auto [sub, json] = subcommand<bool>(app, shell, "list", T::CliListAbout, list);
  sub->add_flag("--json", *json, shell.text(T::CliJsonOption));
}

}  // namespace cli

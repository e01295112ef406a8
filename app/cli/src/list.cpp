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

int list(const Shell& shell, bool json) {
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return shell.fail(lessons.error(), kNotHere);
  const auto language = static_cast<std::size_t>(shell.language);
  nlohmann::ordered_json array = nlohmann::ordered_json::array();
  for (const lab::Lesson& lesson : lessons->catalogue.lessons) {
    if (json) {
      array.push_back({{"number", lesson.number},
                       {"slug", lesson.slug},
                       {"title", {{"en", lesson.title[0]}, {"zh", lesson.title[1]}}},
                       {"summary", {{"en", lesson.summary[0]}, {"zh", lesson.summary[1]}}},
                       {"teaches", lesson.teaches},
                       {"documents", lesson.documents},
                       {"exercises", lesson.exercises},
                       {"folder", lesson.folder.string()}});
      continue;
    }
    cli::print("{:02}  {}  {}\n    {}\n", lesson.number, padded(lesson.slug, 20), lesson.title[language],
               lesson.summary[language]);
    if (lesson.exercises.size() > 1)
      cli::print("    {}\n",
                 shell.text(T::CliListExercises, {fmt::format("{}", fmt::join(lesson.exercises, ", "))}));
  }
  if (json)
    cli::print("{}\n", array.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  else if (lessons->catalogue.lessons.empty())
    shell.complain(T::CliNoLessons, {lessons->installation.lessons.string()});
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
  CLI::App* sub = subcommand(app, shell, "list", T::CliListAbout);
  const auto json = std::make_shared<bool>(false);
  sub->add_flag("--json", *json, shell.text(T::CliJsonOption));
  sub->callback([&shell, json] { shell.chosen = [&shell, json] { return list(shell, *json); }; });
}

}  // namespace cli

// SPDX-License-Identifier: MIT
// driverlab check: builds and runs an exercise, and prints a sentence for each thing that it should do.
// Runs on the embedded driver, so that the verdict is the same on every machine.
#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lab/exercise.hpp"
#include "lab/progress.hpp"
#include "lab/workspace.hpp"
#include "runner.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct CheckOptions {
  std::string lesson, exercise, source, hint;
};

// The student's copy, made now if it is missing; or the folder that was named.
lab::Result<std::filesystem::path> source_folder(const Shell& shell, const lab::Lesson& exercise,
                                                 const std::string& source) {
  std::error_code error;
  if (!source.empty()) {
    std::filesystem::path folder = std::filesystem::absolute(source, error);
    if (auto problem = problem_of_source(folder, exercise)) return tl::unexpected<lab::Problem>(*problem);
    return folder;
  }
  const lab::DataHome home = lab::data_home();
  if (home.problem) shell.complain(*home.problem);
  const lab::Result<lab::Workspace> workspace = lab::Workspace::open(exercise, home, shell.language);
  if (!workspace) return tl::unexpected<lab::Problem>(workspace.error());
  if (workspace->problem_of_words()) shell.complain(*workspace->problem_of_words());
  return workspace->folder();
}

// What the program said itself, so that its reader need not run it again to see why it gave up.
void print_output(const Shell& shell, const trace::Store& store) {
  for (std::size_t i = 0; i < store.size(); ++i) {
    if (store.kind_at(i) != trace::EventKind::Output) continue;
    const trace::Event event = store.at(i);
    std::string text = printable(
        event.zeros != 0 ? shell.text(lab::Text::OutputZeros, {std::to_string(event.zeros)}) : event.text);
    if (!text.empty() && text.back() == '\n') text.pop_back();
    cli::print("  │ {}\n", fmt::join(CLI::detail::split(text, '\n'), "\n  │ "));
  }
}

void print_verdict(const Shell& shell, const lab::Verdict& verdict) {
  const bool colour = colour_wanted(1);
  for (const lab::Finding& finding : verdict.findings) {
    const char* mark = finding.held ? "✓" : "✗";
    const std::string shown = colour ? fmt::format("\x1b[{}m{}\x1b[0m", finding.held ? 32 : 31, mark) : mark;
    cli::print("  {} {}\n", shown, printable(finding.sentence.in(shell.language)));
  }
}

// What is judged is the student's own copy, so it counts; another folder's program may be anyone's.
template <class Change>
void keep_progress(const Shell& shell, const std::string& lesson, const std::string& exercise,
                   Change change) {
  const std::filesystem::path file = lab::progress_path(lab::data_home().path);
  lab::Progress progress = lab::read_progress(file);
  change(progress.lessons[lesson].exercises[exercise]);
  if (const auto written = lab::write_progress(file, progress); !written) shell.complain(written.error());
}

// The first `shown` hints; the last line says how to get the next one.
void print_hints(const Shell& shell, const lab::Exercise& exercise, std::size_t shown,
                 const std::string& command) {
  const auto language = static_cast<std::size_t>(shell.language);
  const std::string all = std::to_string(exercise.hints.size());
  for (std::size_t i = 0; i < shown; ++i)
    shell.say(T::CliCheckHint, {std::to_string(i + 1), all, exercise.hints[i].text[language]});
  if (shown < exercise.hints.size())
    shell.say(T::CliCheckNextHint, {fmt::format("{} --hint {}", command, shown + 1)});
}

// How to check this one from a terminal.
std::string command_for(const lab::Lesson& lesson, const std::string& exercise) {
  if (exercise == lesson.exercises.front()) return "driverlab check " + lab::lesson_number(lesson.number);
  return "driverlab check " + lab::lesson_number(lesson.number) + " " + exercise;
}

// The first one if none is named.
lab::Result<const lab::Exercise*> choose(const std::vector<lab::Exercise>& exercises,
                                         const lab::Lesson& lesson, const std::string& name) {
  if (exercises.empty()) return lab::problem(T::ExerciseNone, {lesson.slug});
  if (name.empty()) return &exercises.front();
  if (const lab::Exercise* named = lab::exercise_named(exercises, name)) return named;
  return lab::problem(T::ExerciseUnknown,
                      {lesson.slug, name, fmt::format("{}", fmt::join(lesson.exercises, ", "))});
}

void name_others(const Shell& shell, const lab::Lesson& lesson, const lab::Exercise& checked) {
  std::vector<std::string> commands;
  for (const std::string& name : lesson.exercises)
    if (name != checked.name) commands.push_back(command_for(lesson, name));
  if (!commands.empty()) shell.say(T::CliCheckOthers, {fmt::format("{}", fmt::join(commands, ", "))});
}

// --hint N: nothing is built or run. Counted like the hints that are asked for in the window.
int give_hints(const Shell& shell, const CheckOptions& options, const lab::Lesson& lesson,
               const lab::Exercise& exercise) {
  const std::string command = command_for(lesson, exercise.name);
  if (exercise.hints.empty()) return shell.fail({T::CliCheckNoHints, {command}}, kUsage);
  const auto shown = parse_number("--hint", options.hint, 1, static_cast<int>(exercise.hints.size()));
  if (!shown) return shell.fail(shown.error(), kUsage);
  print_hints(shell, exercise, static_cast<std::size_t>(*shown), command);
  if (options.source.empty())
    keep_progress(shell, lesson.slug, exercise.name, [shown = *shown](lab::ExerciseProgress& mine) {
      mine.hints = std::max(mine.hints, shown);
    });
  return kDone;
}

int check_lesson(const Shell& shell, const CheckOptions& options) {
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return shell.fail(lessons.error(), kNotHere);
  const lab::Result<lab::Lesson> lesson = find_lesson(*lessons, options.lesson);
  if (!lesson) return shell.fail(lesson.error(), kUsage);
  const auto exercises = lab::read_exercises(*lesson);
  if (!exercises) return shell.fail(exercises.error(), kUsage);
  const auto chosen = choose(*exercises, *lesson, options.exercise);
  if (!chosen) return shell.fail(chosen.error(), kUsage);
  const lab::Exercise& exercise = **chosen;
  if (!options.hint.empty()) return give_hints(shell, options, *lesson, exercise);
  const lab::Lesson task = lab::exercise_as_lesson(*lesson, exercise);
  const auto folder = source_folder(shell, task, options.source);
  if (!folder) return shell.fail(folder.error(), kUsage);
  const auto driver = lab::choose_driver(lab::DriverChoice::Embedded, lessons->installation);
  if (!driver) return shell.fail(driver.error(), kNotHere);

  const auto language = static_cast<std::size_t>(shell.language);
  const std::string file = (*folder / task.sources.front()).string();
  cli::print("{}\n{}\n", exercise.task[language], file);
  (void)output_error();  // seen before the program starts
  const auto built = build(shell, lab::build_lesson(task, *folder, *driver, lessons->installation), *folder);
  if (!built) return shell.fail(built.error(), kNotStarted);
  lab::RunRequest request;
  request.command = {built->program.string()};
  request.working_folder = *folder;
  request.driver = *driver;
  request.limits = task.limits;
  request.source_folder = *folder;
  request.language = shell.language;
  request.info.lesson = task.folder.filename().string();
  const auto followed = follow(shell, request, {.walk = false}, lessons->installation, {});
  if (!followed) return shell.fail(followed.error(), kNotStarted);

  const trace::Store& store = followed->session->store();
  const lab::Verdict verdict = lab::judge(exercise.expect, followed->sinks->model(), store, followed->end);
  print_output(shell, store);
  cli::print("{}\n", printable(sentence_of(followed->end, store, shell.language)));
  print_verdict(shell, verdict);
  if (options.source.empty())
    keep_progress(
        shell, lesson->slug, exercise.name,
        [passed = verdict.passed()](lab::ExerciseProgress& mine) { lab::count_check(mine, passed); });
  if (verdict.passed()) {
    shell.say(T::CliCheckPassed);
  } else {
    const std::string command = command_for(*lesson, exercise.name);
    shell.say(T::CliCheckFailed, {file, command});
    print_hints(shell, exercise, std::min<std::size_t>(1, exercise.hints.size()), command);
  }
  name_others(shell, *lesson, exercise);
  return verdict.passed() ? kDone : kNo;
}

}  // namespace

void add_check(CLI::App& app, Shell& shell) {
  const auto [sub, options] = subcommand<CheckOptions>(app, shell, "check", T::CliCheckAbout, check_lesson);
  sub->add_option("LESSON", options->lesson, shell.text(T::CliLessonArgument))->required()->type_name("");
  sub->add_option("EXERCISE", options->exercise, shell.text(T::CliExerciseArgument))->type_name("");
  sub->add_option("--source", options->source, shell.text(T::CliCheckSourceOption))->type_name("DIR");
  sub->add_option("--hint", options->hint, shell.text(T::CliCheckHintOption))->type_name("N");
}

}  // namespace cli

// SPDX-License-Identifier: MIT
// driverlab run: a lesson from its source to its end, each call printed. The lesson's own files are run, in
// the reader's language; --source takes another folder, for instance a student's workspace copy, and runs it
// as it is.
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lab/workspace.hpp"
#include "runner.hpp"

namespace cli {
namespace {

using T = lab::Text;

std::vector<lab::StepMark> steps_of(const std::map<std::string, std::string>& sources) {
  std::vector<lab::StepMark> marks;
  for (const auto& [name, text] : sources)
    for (lab::StepMark& mark : lab::step_marks_in_source(name, text)) marks.push_back(std::move(mark));
  return marks;
}

// The folder that was named, or the lesson's own files in the reader's language.
lab::Result<std::filesystem::path> folder_of(const Shell& shell, const lab::Lesson& lesson,
                                             const std::string& named) {
  std::error_code error;
  auto folder = named.empty() ? lab::lesson_in(shell.language, lesson)
                              : lab::Result<std::filesystem::path>(std::filesystem::absolute(named, error));
  if (folder)
    if (auto problem = problem_of_source(*folder, lesson)) return tl::unexpected<lab::Problem>(*problem);
  return folder;
}

int run_to_the_end(const Shell& shell, const RunLessonOptions& options) {
  const auto run = run_lesson(shell, options);
  if (!run) return run.error();
  const std::string end = sentence_of(run->end, run->session->store(), shell.language);
  if (options.sinks.events != "-")
    cli::print("{}\n", printable(end));
  else if (run->end.kind != trace::EndKind::Exit)
    cli::print(stderr, "{}\n", printable(end));
  return status_of(*run);
}

}  // namespace

tl::expected<Followed, int> run_lesson(const Shell& shell, const RunLessonOptions& options) {
  const auto fail = [&shell](const lab::Problem& problem, int status) {
    return tl::unexpected<int>(shell.fail(problem, status));
  };
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return fail(lessons.error(), kNotHere);
  const lab::Result<lab::Lesson> lesson = find_lesson(*lessons, options.lesson);
  if (!lesson) return fail(lesson.error(), kUsage);
  const auto choice = options.driver.parse();
  if (!choice) return fail(choice.error(), kUsage);
  const auto sources = folder_of(shell, *lesson, options.source);
  if (!sources) return fail(sources.error(), kUsage);
  const std::filesystem::path& folder = *sources;
  const auto remote = connect(shell, options);
  if (!remote) return fail(remote.error(), status_of(remote.error()));
  lab::Driver driver;
  if (!*remote) {
    const lab::Result<lab::Driver> chosen = lab::choose_driver(*choice, lessons->installation);
    if (!chosen) return fail(chosen.error(), kNotHere);
    driver = *chosen;
  }

  const bool quiet = options.sinks.events == "-" || !options.sinks.walk;
  const auto language = static_cast<std::size_t>(shell.language);
  const auto announce = [&] {
    if (!quiet)
      cli::print("{} {} · {}\n", lab::lesson_number(lesson->number), lesson->title[language],
                 driver.description);
    (void)output_error();  // seen before the program starts
  };
  if (!*remote) announce();
  const auto built = build(shell,
                           *remote ? (*remote)->build(*lesson, folder, *choice)
                                   : lab::build_lesson(*lesson, folder, driver, lessons->installation),
                           folder);
  if (!built) return fail(built.error(), kNotStarted);
  if (*remote) {
    driver = (*remote)->driver();
    announce();
  }
  if (!quiet) cli::print("{}\n", built->command);

  lab::RunRequest request;
  request.command = {built->program.string()};
  request.working_folder = folder;
  request.driver = driver;
  request.limits = lesson->limits;
  request.source_folder = folder;
  request.remote = *remote;
  request.language = shell.language;
  request.stacks = options.stacks;
  request.info.lesson = lesson->folder.filename().string();
  request.info.program = built->program.filename().string();
  request.describe_run();
  request.info.sources = read_sources(*lesson, folder);
  auto followed =
      follow(shell, request, options.sinks, lessons->installation, steps_of(request.info.sources));
  if (!followed) return fail(followed.error(), kNotStarted);
  return std::move(*followed);
}

void add_run(CLI::App& app, Shell& shell) {
  const auto [sub, options] = subcommand<RunLessonOptions>(app, shell, "run", T::CliRunAbout, run_to_the_end);
  sub->add_option("LESSON", options->lesson, shell.text(T::CliLessonArgument))->required()->type_name("");
  add_run_options(*sub, shell, *options);
  sub->add_option("--source", options->source, shell.text(T::CliSourceOption))->type_name("DIR");
}

}  // namespace cli

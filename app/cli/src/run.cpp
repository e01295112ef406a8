// driverlab run: a lesson from its source to its end, each call printed. The lesson's own files are run as
// they are; --source takes another folder, for instance a student's workspace copy.
#include <filesystem>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "runner.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct RunLessonOptions : RunOptions {
  std::string lesson, source;
};

std::vector<lab::StepMark> steps_of(const std::map<std::string, std::string>& sources) {
  std::vector<lab::StepMark> marks;
  for (const auto& [name, text] : sources)
    for (lab::StepMark& mark : lab::step_marks_in_source(name, text)) marks.push_back(std::move(mark));
  return marks;
}

int run_lesson(const Shell& shell, const RunLessonOptions& options) {
  const lab::Result<Lessons> lessons = open_lessons();
  if (!lessons) return shell.fail(lessons.error(), kNotHere);
  const lab::Result<lab::Lesson> lesson = find_lesson(*lessons, options.lesson);
  if (!lesson) return shell.fail(lesson.error(), kUsage);
  const auto choice = options.driver.parse();
  if (!choice) return shell.fail(choice.error(), kUsage);
  const auto launcher = split_words(options.via);
  if (!launcher) return shell.fail(launcher.error(), kUsage);
  std::error_code error;
  const std::filesystem::path folder =
      options.source.empty() ? lesson->folder : std::filesystem::absolute(options.source, error);
  if (!std::filesystem::is_regular_file(folder / lesson->sources.front(), error))
    return shell.fail({T::CliNoSource, {folder.string(), lesson->sources.front()}}, kUsage);
  const lab::Result<lab::Driver> driver = lab::choose_driver(*choice, lessons->installation);
  if (!driver) return shell.fail(driver.error(), kNotHere);

  const bool quiet = options.sinks.events == "-";
  const auto language = static_cast<std::size_t>(shell.language);
  if (!quiet) fmt::print("{:02} {} · {}\n", lesson->number, lesson->title[language], driver->description);
  const lab::Result<lab::BuildResult> built = build(shell, *lesson, folder, *driver, lessons->installation);
  if (!built) return shell.fail(built.error(), kNotStarted);
  if (!quiet) fmt::print("{}\n", built->command);

  lab::RunRequest request;
  request.command = {built->program.string()};
  request.working_folder = folder;
  request.driver = *driver;
  request.limits = lesson->limits;
  request.source_folder = folder;
  request.launcher = *launcher;
  request.info.lesson = lesson->folder.filename().string();
  request.info.program = built->program.filename().string();
  request.info.driver = driver->real ? "real" : "embedded";
  request.info.driver_name = driver->description;
  request.info.started = now_in_utc();
  request.info.sources = read_sources(*lesson, folder);
  const auto followed =
      follow(shell, request, options.sinks, lessons->installation, steps_of(request.info.sources));
  if (!followed) return shell.fail(followed.error(), kNotStarted);
  const std::string end = sentence_of(followed->end, followed->session->store(), shell.language);
  if (!quiet) fmt::print("{}\n", printable(end));
  if (quiet && followed->end.kind != trace::EndKind::Exit) fmt::print(stderr, "{}\n", printable(end));
  return status_of(followed->end);
}

}  // namespace

void add_run(CLI::App& app, Shell& shell) {
  CLI::App* sub = subcommand(app, shell, "run", T::CliRunAbout);
  const auto options = std::make_shared<RunLessonOptions>();
  sub->add_option("LESSON", options->lesson, shell.text(T::CliLessonArgument))->required()->type_name("");
  add_run_options(*sub, shell, *options);
  sub->add_option("--source", options->source, shell.text(T::CliSourceOption))->type_name("DIR");
  sub->callback(
      [&shell, options] { shell.chosen = [&shell, options] { return run_lesson(shell, *options); }; });
}

}  // namespace cli

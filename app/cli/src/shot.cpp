// SPDX-License-Identifier: MIT
// driverlab shot and export: the window's frame at one moment or at every call, in a file. Checks the
// request; the function that draws is passed in, if this build has a window.
#include <algorithm>
#include <charconv>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "export_page.hpp"
#include "lab/exercise.hpp"
#include "shell.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct ShotOptions {
  std::string file, lesson, recording, beside, ghost, pin, call, scale, size = "1600x1000", theme = "dark",
                                                                        panel, from, to;
  bool questions = false, progress = false, keep_paths = false;
};

constexpr int kMostCalls = 2'000'000'000;

std::string panel_names() {
  return fmt::format("{}, {}NAME", fmt::join(kPanels, ", "), lab::kOneExercise);
}

// Reads a number that may be left out; `into` stays as it is then.
template <class Number>
std::optional<lab::Problem> read_number(std::string_view option, const std::string& word, int least, int most,
                                        Number& into) {
  if (word.empty()) return std::nullopt;
  const lab::Result<int> number = parse_number(option, word, least, most);
  if (!number) return number.error();
  into = static_cast<Number>(*number);
  return std::nullopt;
}

lab::Result<lab::ShotRequest> check(const Shell& shell, const ShotOptions& options) {
  if (options.lesson.empty() == options.recording.empty()) return lab::problem(T::CliShotOneOf, {});
  lab::ShotRequest request;
  request.output = options.file;
  request.lesson = options.lesson;
  request.recording = options.recording;
  if (!options.beside.empty() && !options.ghost.empty()) return lab::problem(T::GhostOrBeside, {});
  request.beside = options.beside;
  request.ghost = options.ghost;
  request.language = shell.language;
  request.predict = options.questions;
  request.panel = options.panel;
  for (const auto& problem : {read_number("--pin", options.pin, 0, kMostCalls, request.pin),
                              read_number("--call", options.call, 1, kMostCalls, request.call),
                              read_number("--scale", options.scale, 75, 250, request.scale)})
    if (problem) return tl::unexpected<lab::Problem>(*problem);
  const std::size_t cross = options.size.find('x');
  if (cross == std::string::npos) return lab::problem(T::CliWrongSize, {options.size});
  const auto width = parse_number("--size", std::string_view(options.size).substr(0, cross), 320, 7680);
  const auto height = parse_number("--size", std::string_view(options.size).substr(cross + 1), 240, 4320);
  if (!width || !height) return lab::problem(T::CliWrongSize, {options.size});
  request.width = *width;
  request.height = *height;
  const auto theme = lab::parse_theme(options.theme);
  if (!theme) return lab::problem(T::CliWrongChoice, {"--theme", options.theme, "dark, light, projector"});
  request.theme = *theme;
  if (!options.panel.empty() && !options.panel.starts_with(lab::kOneExercise) &&
      std::find(std::begin(kPanels), std::end(kPanels), options.panel) == std::end(kPanels))
    return lab::problem(T::CliWrongChoice, {"--panel,--view", options.panel, panel_names()});
  return request;
}

int shot(const Shell& shell, const ShotOptions& options) {
  const lab::Result<lab::ShotRequest> request = check(shell, options);
  if (!request) return shell.fail(request.error(), kUsage);
  if (!shell.front_end->draw_shot) return shell.fail({T::CliNoWindow, {}}, kNotHere);
  return shell.front_end->draw_shot(*request);
}

// What pictures of the window have in common.
void add_options(CLI::App& sub, const Shell& shell, ShotOptions& options) {
  sub.add_option("--lesson", options.lesson, shell.text(T::CliShotLessonOption))->type_name("LESSON");
  sub.add_option("--recording", options.recording, shell.text(T::CliShotRecordingOption))->type_name("FILE");
  sub.add_option("--scale", options.scale, shell.text(T::CliShotScaleOption))->type_name("PERCENT");
  sub.add_option("--size", options.size, shell.text(T::CliShotSizeOption))->type_name("WxH");
  sub.add_option("--theme", options.theme, shell.text(T::CliShotThemeOption))
      ->type_name("dark|light|projector");
  sub.add_flag("--questions", options.questions, shell.text(T::CliShotQuestionsOption));
}

int export_run(const Shell& shell, const ShotOptions& options) {
  const lab::Result<lab::ShotRequest> shot = check(shell, options);
  if (!shot) return shell.fail(shot.error(), kUsage);
  lab::ExportRequest request;
  request.shot = *shot;
  const std::string ending = request.shot.output.extension().string();
  const bool recording = ending == ".dlrec";
  if (ending != ".html" && ending != ".png" && !recording)
    return shell.fail({T::CliExportEnding, {options.file}}, kUsage);
  for (const auto& problem : {read_number("--from", options.from, 1, kMostCalls, request.from),
                              read_number("--to", options.to, 1, kMostCalls, request.to)})
    if (problem) return shell.fail(*problem, kUsage);
  request.keep_paths = options.keep_paths;
  if (recording && (request.from > 1 || request.to > 0)) return shell.fail({T::ExportWhole, {}}, kUsage);
  if (recording) return export_recording(shell, request);
  if (ending == ".html") return export_page(shell, request);
  request.progress = options.progress;
  return export_picture(shell, std::move(request));
}

}  // namespace

void add_shot(CLI::App& app, Shell& shell) {
  const auto [sub, options] = subcommand<ShotOptions>(app, shell, "shot", T::CliShotAbout, shot);
  sub->add_option("FILE.png", options->file, shell.text(T::CliPictureArgument))->required()->type_name("");
  add_options(*sub, shell, *options);
  sub->add_option("--call", options->call, shell.text(T::CliShotCallOption))->type_name("N");
  sub->add_option("--beside", options->beside, shell.text(T::CompareOption))->type_name("FILE");
  sub->add_option("--ghost", options->ghost, shell.text(T::GhostOption))->type_name("FILE");
  sub->add_option("--panel,--view", options->panel, shell.text(T::ShotPanelOption, {panel_names()}))
      ->type_name("NAME");
  sub->add_option("--pin", options->pin, shell.text(T::ShotPinOption))->type_name("N");
}

void add_export(CLI::App& app, Shell& shell) {
  const auto [sub, options] = subcommand<ShotOptions>(app, shell, "export", T::CliExportAbout, export_run);
  sub->add_option("FILE", options->file, shell.text(T::CliExportArgument))->required()->type_name("");
  add_options(*sub, shell, *options);
  sub->add_option("--from", options->from, shell.text(T::CliExportFromOption))->type_name("N");
  sub->add_option("--to", options->to, shell.text(T::CliExportToOption))->type_name("N");
  sub->add_flag("--keep-paths", options->keep_paths, shell.text(T::CliKeepPathsOption));
  sub->add_flag("--progress", options->progress, shell.text(T::CliExportProgressOption));
}

}  // namespace cli

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
  std::string file, lesson, recording, beside, pin, call, scale = "100", size = "1600x1000", theme = "dark",
                                                          panel, from = "1", to;
  bool questions = false, progress = false, keep_paths = false;
};

constexpr int kMostCalls = 2'000'000'000;

std::string panel_names() {
  return fmt::format("{}, {}NAME", fmt::join(kPanels, ", "), lab::kOneExercise);
}

lab::Result<ShotRequest> check(const Shell& shell, const ShotOptions& options) {
  ShotRequest request;
  request.output = options.file;
  request.language = shell.language;
  if (options.lesson.empty() == options.recording.empty()) return lab::problem(T::CliShotOneOf, {});
  request.lesson = options.lesson;
  request.recording = options.recording;
  request.beside = options.beside;
  if (!options.pin.empty()) {
    const auto pin = parse_number("--pin", options.pin, 0, kMostCalls);
    if (!pin) return tl::unexpected<lab::Problem>(pin.error());
    request.pin = static_cast<std::size_t>(*pin);
  }
  if (!options.call.empty()) {
    const auto call = parse_number("--call", options.call, 1, kMostCalls);
    if (!call) return tl::unexpected<lab::Problem>(call.error());
    request.call = static_cast<std::size_t>(*call);
  }
  const auto scale = parse_number("--scale", options.scale, 75, 250);
  if (!scale) return tl::unexpected<lab::Problem>(scale.error());
  request.scale = *scale;
  const std::size_t cross = options.size.find('x');
  if (cross == std::string::npos) return lab::problem(T::CliWrongSize, {options.size});
  const auto width = parse_number("--size", std::string_view(options.size).substr(0, cross), 320, 7680);
  const auto height = parse_number("--size", std::string_view(options.size).substr(cross + 1), 240, 4320);
  if (!width || !height) return lab::problem(T::CliWrongSize, {options.size});
  request.width = *width;
  request.height = *height;
  if (options.theme != "dark" && options.theme != "light" && options.theme != "projector")
    return lab::problem(T::CliWrongChoice, {"--theme", options.theme, "dark, light, projector"});
  request.theme = options.theme;
  request.predict = options.questions;
  if (!options.panel.empty() && !options.panel.starts_with(lab::kOneExercise) &&
      std::find(std::begin(kPanels), std::end(kPanels), options.panel) == std::end(kPanels))
    return lab::problem(T::CliWrongChoice, {"--panel", options.panel, panel_names()});
  request.panel = options.panel;
  return request;
}

int shot(const Shell& shell, const ShotOptions& options) {
  const lab::Result<ShotRequest> request = check(shell, options);
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
  const lab::Result<ShotRequest> shot = check(shell, options);
  if (!shot) return shell.fail(shot.error(), kUsage);
  ExportRequest request{*shot};
  const std::string ending = request.shot.output.extension().string();
  const bool recording = ending == ".dlrec";
  if (ending != ".html" && ending != ".png" && !recording)
    return shell.fail({T::CliExportEnding, {options.file}}, kUsage);
  const auto from = parse_number("--from", options.from, 1, kMostCalls);
  if (!from) return shell.fail(from.error(), kUsage);
  request.from = static_cast<std::size_t>(*from);
  if (!options.to.empty()) {
    const auto to = parse_number("--to", options.to, 1, kMostCalls);
    if (!to) return shell.fail(to.error(), kUsage);
    request.to = static_cast<std::size_t>(*to);
  }
  request.keep_paths = options.keep_paths;
  if (recording && (request.from > 1 || request.to > 0)) return shell.fail({T::ExportWhole, {}}, kUsage);
  if (recording) return export_recording(shell, request);
  if (ending == ".html") return export_page(shell, request);
  request.progress = options.progress;
  return export_picture(shell, std::move(request));
}

}  // namespace

void add_shot(CLI::App& app, Shell& shell) {
  CLI::App* sub = subcommand(app, shell, "shot", T::CliShotAbout);
  const auto options = std::make_shared<ShotOptions>();
  sub->add_option("FILE.png", options->file, shell.text(T::CliPictureArgument))->required()->type_name("");
  add_options(*sub, shell, *options);
  sub->add_option("--call", options->call, shell.text(T::CliShotCallOption))->type_name("N");
  sub->add_option("--beside", options->beside, shell.text(T::CompareOption))->type_name("FILE");
  sub->add_option("--panel", options->panel, shell.text(T::ShotPanelOption, {panel_names()}))
      ->type_name("NAME");
  sub->add_option("--pin", options->pin, shell.text(T::ShotPinOption))->type_name("N");
  sub->callback([&shell, options] { shell.chosen = [&shell, options] { return shot(shell, *options); }; });
}

void add_export(CLI::App& app, Shell& shell) {
  CLI::App* sub = subcommand(app, shell, "export", T::CliExportAbout);
  const auto options = std::make_shared<ShotOptions>();
  sub->add_option("FILE", options->file, shell.text(T::CliExportArgument))->required()->type_name("");
  add_options(*sub, shell, *options);
  sub->add_option("--from", options->from, shell.text(T::CliExportFromOption))->type_name("N");
  sub->add_option("--to", options->to, shell.text(T::CliExportToOption))->type_name("N");
  sub->add_flag("--keep-paths", options->keep_paths, shell.text(T::CliKeepPathsOption));
  sub->add_flag("--progress", options->progress, shell.text(T::CliExportProgressOption));
  sub->callback(
      [&shell, options] { shell.chosen = [&shell, options] { return export_run(shell, *options); }; });
}

}  // namespace cli

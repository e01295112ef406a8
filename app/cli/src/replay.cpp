// SPDX-License-Identifier: MIT
// driverlab replay: prints a recording. Nothing in it is executed, and nothing in it is trusted.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "open_recording.hpp"
#include "sinks.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct ReplayOptions {
  std::string file;
  SinkOptions sinks;
};

int replay(const Shell& shell, const ReplayOptions& options) {
  trace::Store store;
  trace::RunInfo info;
  const int status = open_recording(shell, options.file, store, info);
  if (status == kUsage) return status;

  auto opened = Sinks::open(shell, options.sinks, store, info);
  if (!opened) return shell.fail(opened.error(), kUsage);
  Sinks& sinks = **opened;
  if (Walk* walk = sinks.walk()) {
    cli::print("{} · {} · {}", printable(info.lesson.empty() ? info.program : info.lesson),
               printable(info.driver_name), printable(info.started));
    if (!info.made_by.empty()) cli::print(" · {}", printable(shell.text(T::CliReplayMadeBy, {info.made_by})));
    cli::print("\n");
    std::vector<lab::StepMark> marks;
    for (const auto& [name, text] : info.sources)
      for (lab::StepMark& mark : lab::step_marks_in_source(name, text)) marks.push_back(std::move(mark));
    walk->set_steps(std::move(marks));
    walk->header();
  }
  sinks.finish();
  if (sinks.it_failed()) return kUsage;
  if (sinks.walk() != nullptr)
    if (const std::optional<lab::RunEnd> end = lab::end_of(store))
      cli::print("{}\n", printable(sentence_of(*end, store, shell.language)));
  return status;
}

}  // namespace

void add_replay(CLI::App& app, Shell& shell) {
  const auto [sub, options] = subcommand<ReplayOptions>(app, shell, "replay", T::CliReplayAbout, replay);
  sub->add_option("FILE", options->file, shell.text(T::CliRecordingArgument))->required()->type_name("");
  sub->add_option("--events", options->sinks.events, shell.text(T::CliEventsOption))->type_name("FILE");
  sub->add_option("--csv", options->sinks.csv, shell.text(T::CliCsvOption))->type_name("FILE");
  sub->add_option("--chrome-trace", options->sinks.chrome, shell.text(T::CliChromeOption))->type_name("FILE");
  sub->add_option("--html", options->sinks.html, shell.text(T::CliHtmlOption))->type_name("FILE");
  sub->add_flag("--keep-paths", options->sinks.keep_paths, shell.text(T::CliKeepPathsOption));
}

}  // namespace cli

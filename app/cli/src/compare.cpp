// SPDX-License-Identifier: MIT
// driverlab compare: two recordings side by side, up to their first difference. Nothing is executed.
#include <algorithm>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "lab/difference.hpp"
#include "open_recording.hpp"
#include "sinks.hpp"

namespace cli {
namespace {

using T = lab::Text;

struct Options {
  std::string files[2];
  bool numbers = false;
};

struct Opened {
  trace::Store store;
  lab::Model model{store};
};

// A recording that is not whole is compared as far as it goes. False where nothing can be compared.
bool open(const Shell& shell, Opened& opened, const std::string& file, int& status) {
  trace::RunInfo info;
  const int read = open_recording(shell, file, opened.store, info);
  status = std::max(status, read);
  opened.model.follow();
  return read == kDone || (read == kNo && opened.store.calls() > 0);
}

std::string side(const Shell& shell, const Opened& run, const lab::Divergence& found,
                 const std::optional<std::size_t>& event, const std::string& words) {
  const std::string thread = std::to_string(found.thread);
  if (!event) return shell.text(T::CliCompareEnded, {thread});
  const trace::Event call = run.store.at(*event);
  const std::string place = call.file.empty() ? "" : fmt::format(" ({}:{})", call.file, call.line);
  const bool whole = found.what == lab::Divergence::What::Call || found.what == lab::Divergence::What::Ends;
  const std::string said = whole ? words : fmt::format("{}: {}", call.name, words);
  return shell.text(T::CliCompareCall,
                    {std::to_string(run.store.calls_before(*event) + 1), thread, place, printable(said)});
}

int compare(const Shell& shell, const Options& options) {
  Opened runs[2];
  int status = kDone;
  for (int i : {0, 1})
    if (!open(shell, runs[i], options.files[i], status)) return status;
  const lab::ComparedRun a{runs[0].model, runs[0].store}, b{runs[1].model, runs[1].store};
  const lab::Comparison found = lab::first_divergence(a, b, {.numbers = options.numbers});
  const std::vector<std::string> calls{std::to_string(found.calls)};
  if (!found.first) {
    cli::print("{}\n", shell.text(T::CliCompareSame, calls));
    return status;
  }
  cli::print("{}\n", shell.text(T::CliCompareParts, calls));
  cli::print("  {}: {}\n", printable(options.files[0]),
             side(shell, runs[0], *found.first, found.first->event_a, found.first->a));
  cli::print("  {}: {}\n", printable(options.files[1]),
             side(shell, runs[1], *found.first, found.first->event_b, found.first->b));
  return kNo;
}

}  // namespace

void add_compare(CLI::App& app, Shell& shell) {
  const auto [sub, options] = subcommand<Options>(app, shell, "compare", T::CliCompareAbout, compare);
  for (const auto& [name, file] :
       {std::pair{"FIRST", &options->files[0]}, std::pair{"SECOND", &options->files[1]}})
    sub->add_option(name, *file, shell.text(T::CliRecordingArgument))->required()->type_name("");
  sub->add_flag("--numbers", options->numbers, shell.text(T::CliCompareNumbersOption));
}

}  // namespace cli

// SPDX-License-Identifier: MIT
// driverlab trace -- PROGRAM: the same output for any program that uses CUDA. Its files stay where they are,
// and there are no limits: it is the user's program, and the user can stop it.
#include <algorithm>
#include <filesystem>
#include <set>

#include <CLI/CLI.hpp>

#include "lab/own_program.hpp"
#include "runner.hpp"

namespace cli {
namespace {

using T = lab::Text;

// The result of a foreign program, and whether all of its calls were recorded.
std::string summary_of(const Shell& shell, const Followed& followed) {
  const trace::Store& store = followed.session->store();
  std::set<std::uint32_t> processes, threads;
  std::uint64_t lost = 0;
  std::string output_lost;
  for (std::size_t i = 0; i < store.size(); ++i) {
    const trace::EventKind kind = store.kind_at(i);
    if (kind == trace::EventKind::ThreadStart) threads.insert(store.thread_at(i));
    if (kind == trace::EventKind::ProcessStart) processes.insert(store.at(i).process);
    if (kind != trace::EventKind::Lost) continue;
    const trace::Event event = store.at(i);
    lost += event.number;
    if (!event.text.empty()) output_lost = "\n" + shell.text(T::CliOutputLost, {event.text});
  }
  if (followed.sinks->walk() != nullptr) output_lost.clear();  // it has said so
  return shell.text(
             T::CliTraceSummary,
             {std::to_string(store.calls()), std::to_string(processes.size()), std::to_string(threads.size()),
              std::to_string(followed.sinks->disagreements()), std::to_string(lost)}) +
         printable(output_lost);
}

int trace_program(const Shell& shell, const RunOptions& options) {
  if (!shell.dashes || shell.after_dashes.empty()) return shell.fail({T::CliNoProgram, {}}, kUsage);
  const auto choice = options.driver.parse();
  if (!choice) return shell.fail(choice.error(), kUsage);
  const lab::Result<lab::Installation> installation = lab::find_installation();
  if (!installation) return shell.fail(installation.error(), kNotHere);
  const auto remote = connect(shell, options);
  if (!remote) return shell.fail(remote.error(), status_of(remote.error()));
  lab::Driver driver;
  if (*remote) {
    const auto sent = (*remote)->send_program(shell.after_dashes, std::filesystem::current_path(), *choice);
    if (!sent) return shell.fail(sent.error(), kNotStarted);
    driver = (*remote)->driver();
  } else {
    const lab::Result<lab::Driver> chosen = lab::choose_driver(*choice, *installation);
    if (!chosen) return shell.fail(chosen.error(), kNotHere);
    driver = *chosen;
  }

  lab::RunRequest request = lab::request_for(shell.after_dashes, std::filesystem::current_path());
  request.driver = driver;
  request.remote = *remote;
  request.language = shell.language;
  request.stacks = options.stacks;
  request.preload = options.preload;
  if (options.memory_mib != 0) request.trace_bytes = std::min(options.memory_mib, std::size_t{1} << 24) << 20;
  request.describe_run();
  SinkOptions sinks = options.sinks;
  sinks.source_folder = request.source_folder;
  const auto followed = follow(shell, request, sinks, *installation, {});
  if (!followed) return shell.fail(followed.error(), kNotStarted);
  if (followed->sinks->walk() == nullptr && followed->session->interception().why)
    shell.complain(*followed->session->interception().why);
  const std::string end = sentence_of(followed->end, followed->session->store(), shell.language);
  // Standard output is only for what the options put there: events, or the program's own output and nothing
  // else.
  std::FILE* where = options.sinks.events == "-" || options.sinks.quiet ? stderr : stdout;
  cli::print(where, "{}\n", printable(end));
  cli::print(where, "{}\n", summary_of(shell, *followed));
  if (followed->session->store().calls() == 0) shell.complain(T::CliNoCalls, {shell.after_dashes.front()});
  return status_of(*followed);
}

}  // namespace

void add_trace(CLI::App& app, Shell& shell) {
  const auto [sub, options] = subcommand<RunOptions>(app, shell, "trace", T::CliTraceAbout, trace_program);
  add_run_options(*sub, shell, *options);
  sub->add_flag("--quiet", options->sinks.quiet, shell.text(T::CliQuietOption));
  sub->add_flag("--preload", options->preload, shell.text(T::CliPreloadOption));
  sub->add_option("--memory", options->memory_mib, shell.text(T::CliMemoryOption))->type_name("MIB");
  sub->footer(shell.text(T::CliTraceUsage));
}

}  // namespace cli

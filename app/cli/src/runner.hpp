// SPDX-License-Identifier: MIT
// Builds, starts and follows a program to its end: what run, trace and check have in common.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/builder.hpp"
#include "lab/remote.hpp"
#include "lab/session.hpp"
#include "shell.hpp"
#include "sinks.hpp"

namespace CLI {
class App;
}

namespace cli {

// --driver, --events, --record, --via: the common options of run and trace.
struct RunOptions {
  DriverOption driver;
  SinkOptions sinks;
  std::string via;
  bool stacks = false;
  bool preload = false;        // trace only
  std::size_t memory_mib = 0;  // trace only; 0: half of the machine's memory
};
void add_run_options(CLI::App& sub, const Shell& shell, RunOptions& options);

// The machine of --via; nothing if the option was not given.
lab::Result<std::shared_ptr<lab::Remote>> connect(const Shell& shell, const RunOptions& options);
inline int status_of(const lab::Problem& no_connection) {
  return no_connection.key == lab::Text::CliOpenQuote ? kUsage : kNotHere;
}

// The files of a lesson as they are compiled, by the names that events will have.
std::map<std::string, std::string> read_sources(const lab::Lesson& lesson,
                                                const std::filesystem::path& folder);
// The problem with the folder of --source, if there is one: its first file is needed.
std::optional<lab::Problem> problem_of_source(const std::filesystem::path& folder, const lab::Lesson& lesson);
// Prints the compiler's messages if the build failed.
lab::Result<lab::BuildResult> build(const Shell& shell, lab::BuildResult result,
                                    const std::filesystem::path& folder);

struct Followed {
  std::unique_ptr<lab::Session> session;
  std::unique_ptr<Sinks> sinks;
  lab::RunEnd end;
};
// The exit status of the lab: the program's own, or that of a requested file that could not be written in
// full.
int status_of(const Followed& followed);
// Follows the run to its end, or until the user interrupts; that stops the program and keeps what was
// recorded.
lab::Result<Followed> follow(const Shell& shell, const lab::RunRequest& request, const SinkOptions& sinks,
                             const lab::Installation& installation, std::vector<lab::StepMark> steps);

struct RunLessonOptions : RunOptions {
  std::string lesson, source;
};
// Builds and runs a lesson. If that is not possible, it prints the reason and returns an exit status of the
// lab.
tl::expected<Followed, int> run_lesson(const Shell& shell, const RunLessonOptions& options);

}  // namespace cli

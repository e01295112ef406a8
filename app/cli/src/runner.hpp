// Builds, starts and follows a program to its end: what run, trace and check have in common.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "lab/builder.hpp"
#include "lab/session.hpp"
#include "shell.hpp"
#include "sinks.hpp"

namespace CLI {
class App;
}

namespace cli {

// --driver, --events, --record, --via, as run and trace have them.
struct RunOptions {
  DriverOption driver;
  SinkOptions sinks;
  std::string via;
};
void add_run_options(CLI::App& sub, const Shell& shell, RunOptions& options);

// Words of --via, quoted as in a shell: 'srun --gres=gpu:1', "ssh 'my host'". Nothing is expanded.
lab::Result<std::vector<std::string>> split_words(const std::string& text);

// The files of a lesson as they are compiled, by the names that events will have.
std::map<std::string, std::string> read_sources(const lab::Lesson& lesson,
                                                const std::filesystem::path& folder);
lab::Result<lab::BuildResult> build(const Shell& shell, const lab::Lesson& lesson,
                                    const std::filesystem::path& folder, const lab::Driver& driver,
                                    const lab::Installation& installation);

struct Followed {
  std::unique_ptr<lab::Session> session;
  std::unique_ptr<Sinks> sinks;
  lab::RunEnd end;
};
// To the end of the run, or until the user interrupts, which stops the program and keeps what was recorded.
lab::Result<Followed> follow(const Shell& shell, const lab::RunRequest& request, const SinkOptions& sinks,
                             const lab::Installation& installation, std::vector<lab::StepMark> steps);

std::string now_in_utc();

}  // namespace cli

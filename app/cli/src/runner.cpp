// SPDX-License-Identifier: MIT
// Follows a run. The session's thread does the work; this thread waits until something has changed, and then
// folds the events, prints and writes.
#include "runner.hpp"

#include <condition_variable>
#include <csignal>
#include <iterator>
#include <mutex>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "lab/files.hpp"

namespace cli {
namespace {

using T = lab::Text;

// A signal handler may only set a flag; the waiting loop looks at it ten times a second.
volatile std::sig_atomic_t g_interrupted = 0;
void interrupted(int) {
  g_interrupted = 1;
}

// The reader of the output may close it, as `head` and a pager do (SIGPIPE): then the program is stopped too.
constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGPIPE};

class Interrupts {
 public:
  Interrupts() {
    g_interrupted = 0;
    struct sigaction action = {};
    action.sa_handler = interrupted;
    for (std::size_t i = 0; i < std::size(kInterrupts); ++i) sigaction(kInterrupts[i], &action, &before_[i]);
  }
  ~Interrupts() {
    for (std::size_t i = 0; i < std::size(kInterrupts); ++i) sigaction(kInterrupts[i], &before_[i], nullptr);
  }

 private:
  struct sigaction before_[std::size(kInterrupts)] = {};
};

struct Bell {
  std::mutex mutex;
  std::condition_variable rung;
  bool ringing = false;

  void ring() {
    const std::lock_guard lock(mutex);
    ringing = true;
    rung.notify_one();
  }
  void wait() {
    std::unique_lock lock(mutex);
    rung.wait_for(lock, std::chrono::milliseconds(100), [this] { return ringing; });
    ringing = false;
  }
};

std::string severity(const Shell& shell, lab::Diagnostic::Severity severity) {
  switch (severity) {
    case lab::Diagnostic::Severity::Note:
      return shell.text(T::CliNote);
    case lab::Diagnostic::Severity::Warning:
      return shell.text(T::CliWarning);
    case lab::Diagnostic::Severity::Error:
      break;
  }
  return shell.text(T::CliError);
}

// The lab or its user ended the program; it did not end by itself.
bool was_ended(const lab::RunEnd& end) {
  return end.kind != trace::EndKind::Exit && end.kind != trace::EndKind::Signal &&
         end.kind != trace::EndKind::TraceLost;
}

}  // namespace

void add_run_options(CLI::App& sub, const Shell& shell, RunOptions& options) {
  sub.add_option("--driver", options.driver.word, shell.text(T::CliDriverOption))
      ->type_name("embedded|real|auto");
  sub.add_option("--events", options.sinks.events, shell.text(T::CliEventsOption))->type_name("FILE");
  sub.add_option("--csv", options.sinks.csv, shell.text(T::CliCsvOption))->type_name("FILE");
  sub.add_option("--chrome-trace", options.sinks.chrome, shell.text(T::CliChromeOption))->type_name("FILE");
  sub.add_option("--html", options.sinks.html, shell.text(T::CliHtmlOption))->type_name("FILE");
  sub.add_flag("--keep-paths", options.sinks.keep_paths, shell.text(T::CliKeepPathsOption));
  sub.add_option("--record", options.sinks.record, shell.text(T::CliRecordOption))->type_name("FILE");
  sub.add_flag("--stacks", options.stacks, shell.text(T::CliStacksOption));
  sub.add_option("--via", options.via, shell.text(T::CliViaOption))->type_name("'LAUNCHER…'");
}

std::optional<lab::Problem> problem_of_source(const std::filesystem::path& folder,
                                              const lab::Lesson& lesson) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error))
    return lab::Problem{T::CliNoSourceFolder, {folder.string()}};
  if (std::filesystem::is_regular_file(folder / lesson.sources.front(), error)) return std::nullopt;
  return lab::Problem{T::CliNoSource, {folder.string(), lesson.sources.front()}};
}

lab::Result<std::shared_ptr<lab::Remote>> connect(const Shell& shell, const RunOptions& options) {
  if (options.via.empty()) return std::shared_ptr<lab::Remote>();
  const auto words = lab::split_launcher(options.via, "--via");
  if (!words) return tl::unexpected<lab::Problem>(words.error());
  if (isatty(STDERR_FILENO) == 1) shell.complain(T::DriverRemoteConnecting, {options.via});
  return lab::Remote::connect(*words);
}

std::map<std::string, std::string> read_sources(const lab::Lesson& lesson,
                                                const std::filesystem::path& folder) {
  std::map<std::string, std::string> sources;
  for (const std::string& name : lesson.files())
    if (const lab::Result<std::string> text = lab::read_file(folder / name)) sources[name] = *text;
  return sources;
}

lab::Result<lab::BuildResult> build(const Shell& shell, lab::BuildResult result,
                                    const std::filesystem::path& folder) {
  if (result.ok) return result;
  if (!result.command.empty()) cli::print(stderr, "{}\n", printable(result.command));
  for (const lab::Diagnostic& found : result.diagnostics) {
    // A problem of the machine has no file.
    const std::string place =
        found.file.empty() ? "" : fmt::format("{}:{}:{}: ", found.file, found.line, found.column);
    cli::print(stderr, "{}\n", printable(place + severity(shell, found.severity) + ": " + found.message));
  }
  if (result.diagnostics.empty() && !result.output.empty())
    cli::print(stderr, "{}\n", printable(result.output));
  if (result.problem) return tl::unexpected<lab::Problem>(*result.problem);
  return lab::problem(T::CliBuildFailed, {folder.string()});
}

int status_of(const Followed& followed) {
  const int status = status_of(followed.end);
  return status == kDone && followed.sinks->it_failed() ? int{kUsage} : status;
}

lab::Result<Followed> follow(const Shell& shell, const lab::RunRequest& request, const SinkOptions& options,
                             const lab::Installation& installation, std::vector<lab::StepMark> steps) {
  const Interrupts interrupts;
  const auto bell = std::make_shared<Bell>();
  Followed followed;
  lab::Result<std::unique_ptr<lab::Session>> session = lab::Session::start(request, installation);
  if (!session) return tl::unexpected<lab::Problem>(session.error());
  followed.session = std::move(*session);
  followed.session->set_on_change([bell] { bell->ring(); });
  auto sinks = Sinks::open(shell, options, followed.session->store(), request.info);
  if (!sinks) return tl::unexpected<lab::Problem>(sinks.error());
  followed.sinks = std::move(*sinks);
  if (Walk* walk = followed.sinks->walk()) {
    walk->set_steps(std::move(steps));
    walk->header();
    if (const auto& why = followed.session->interception().why) walk->remark(why->in(shell.language));
  }
  bool stopped = false;
  constexpr std::size_t kMostAtOnce = 5000;
  bool more = false;
  while (followed.session->running()) {
    if (!more) bell->wait();
    if (g_interrupted != 0 && !stopped) {
      stopped = true;
      followed.session->stop();
    }
    more = followed.sinks->take(kMostAtOnce);
  }
  followed.session->wait();
  followed.end = followed.session->end().value_or(lab::RunEnd{});
  if (was_ended(followed.end)) followed.sinks->leave_out_what_waits();
  followed.sinks->finish();
  if (const auto problem = followed.session->trouble()) shell.complain(*problem);
  return followed;
}

}  // namespace cli

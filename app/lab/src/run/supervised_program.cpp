// SPDX-License-Identifier: MIT
// See supervised_program.hpp. The supervisor's lines are described in supervisor/supervisor.hpp.
#include "run/supervised_program.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>

#include "base/spawn.hpp"

namespace lab {
namespace {

constexpr int kReportDescriptor = 3;  // in the supervisor; ours are all closed there
constexpr double kStartSeconds = 10;
constexpr std::uint64_t kMiB = 1 << 20;

RunEnd end_from_status(int status) {
  RunEnd end;
  if (WIFSIGNALED(status)) {
    end.kind = trace::EndKind::Signal;
    end.number = WTERMSIG(status);
  } else {
    end.number = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace

Result<SupervisedProgram> SupervisedProgram::start(const SupervisionRequest& request) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return problem(Text::ProgramNotStarted, {request.command.at(0), std::generic_category().message(errno)});
  SupervisedProgram program;
  program.limits_ = request.limits;
  program.report_ = FileDescriptor(ends[0]);
  FileDescriptor writing(ends[1]);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  SpawnRequest spawning;
  spawning.arguments = {request.supervisor.string(),
                        "supervise",
                        std::to_string(request.outlives ? 0 : ::getpid()),
                        std::to_string(kReportDescriptor),
                        std::to_string(request.limits.memory_bytes),
                        std::to_string(request.limits.output_bytes)};
  spawning.arguments.insert(spawning.arguments.end(), request.command.begin(), request.command.end());
  spawning.environment = request.environment;
  spawning.folder = request.folder;
  spawning.output = request.output;
  spawning.error_output = request.error_output;
  spawning.pass = {{writing.get(), kReportDescriptor}};
  program.supervisor_ = spawn(spawning);
  if (program.supervisor_ < 0) {
    const std::string why = std::generic_category().message(errno);
    return problem(Text::ProgramNotStarted, {request.supervisor.string(), why});
  }
  writing.reset();
  const auto started = program.wait_for_start(request.command.at(0));
  if (!started) return tl::unexpected<Problem>(started.error());
  return program;
}

Result<bool> SupervisedProgram::wait_for_start(const std::string& name) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(kStartSeconds);
  bool gone = false;
  while (!gone && !runs_ && start_error_ == 0 && std::chrono::steady_clock::now() < until) {
    pollfd wait{report_.get(), POLLIN, 0};
    ::poll(&wait, 1, 100);
    gone = look();
  }
  // The supervisor ended without a report after the program had started: the program ran, and ended its
  // supervisor.
  if (runs_ || (gone && program_ > 0 && start_error_ == 0)) return true;
  abandon();
  return problem(Text::ProgramNotStarted,
                 {name, std::generic_category().message(start_error_ != 0 ? start_error_ : ECHILD)});
}

void SupervisedProgram::take_line(const std::string& line) {
  const auto blank = line.find(' ');
  if (blank == std::string::npos) return;
  const std::string word = line.substr(0, blank);
  const long long number = std::atoll(line.c_str() + blank + 1);
  if (word == "started") program_ = static_cast<pid_t>(number);
  if (word == "running") runs_ = true;
  if (word == "failed") start_error_ = static_cast<int>(number);
  if (word == "left") left_running_ = static_cast<int>(number);
  if (end_) return;
  if (word == "ended") end_ = end_from_status(static_cast<int>(number));
  if (word == "stopped") end_ = RunEnd{trace::EndKind::Killed, 0, ""};
  if (word == "processes") end_ = RunEnd{trace::EndKind::Killed, static_cast<int>(number), ""};
  if (word == "memory")
    end_ = RunEnd{trace::EndKind::MemoryLimit, static_cast<int>(limits_.memory_bytes / kMiB), ""};
  if (word == "output")
    end_ = RunEnd{trace::EndKind::OutputLimit, static_cast<int>(limits_.output_bytes / kMiB), ""};
}

bool SupervisedProgram::look() {
  if (supervisor_ < 0) return true;
  char block[512];
  ssize_t n = 0;
  while ((n = ::read(report_.get(), block, sizeof block)) > 0)
    unread_.append(block, static_cast<std::size_t>(n));
  const bool closed = n == 0;
  for (auto end = unread_.find('\n'); end != std::string::npos; end = unread_.find('\n')) {
    take_line(unread_.substr(0, end));
    unread_.erase(0, end + 1);
  }
  if (!closed) return false;
  abandon();
  return true;
}

RunEnd SupervisedProgram::end() const {
  // A supervisor that reported nothing was killed itself, and the kernel then killed the program.
  if (end_) {
    RunEnd end = *end_;
    end.left_running = left_running_;
    return end;
  }
  return asked_to_stop_ ? RunEnd{trace::EndKind::Killed, 0, ""} : RunEnd{trace::EndKind::Signal, SIGKILL, ""};
}

void SupervisedProgram::stop() {
  asked_to_stop_ = true;
  if (supervisor_ > 0) ::kill(supervisor_, SIGTERM);
}

void SupervisedProgram::abandon() {
  if (supervisor_ < 0) return;
  // Its report is closed, or it does not end: in both cases these are not needed any more.
  ::kill(supervisor_, SIGKILL);
  if (!end_ && program_ > 0) ::kill(-program_, SIGKILL);
  int status = 0;
  while (::waitpid(supervisor_, &status, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = -1;
}

}  // namespace lab

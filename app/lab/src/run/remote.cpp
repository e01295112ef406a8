// SPDX-License-Identifier: MIT
// The client side of a connection; see lab/remote.hpp. Starts the launcher, sends what is to be run, and
// receives the messages of the other side. The serving side is serve.cpp.
#include "lab/remote.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/spawn.hpp"
#include "lab/files.hpp"
#include "lab/version.hpp"
#include "run/remote_impl.hpp"

namespace lab {
namespace {

using SteadyClock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using Seconds = std::chrono::seconds;

constexpr std::uint64_t kLargestFile = 64u << 20;
constexpr std::size_t kSaidKept = 2000;
constexpr milliseconds kLook{100};

// Blocks SIGPIPE during a write and removes it: a broken connection must be an error, and not end the
// process.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    const timespec now{};
    while (::sigtimedwait(&pipe_, nullptr, &now) == SIGPIPE) {
    }
    ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }

 private:
  sigset_t pipe_{}, before_{};
};

// In the session and group of this process, so that ssh can ask for a password on the terminal. But this
// process handles an interrupt from there, by stopping the program.
pid_t start_launcher(const std::vector<std::string>& words, int input, int output, int error_output) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  int failure[2];
  if (::pipe2(failure, O_CLOEXEC) != 0) return -1;
  const pid_t process = ::fork();
  if (process == 0) {
    ::dup2(input, 0);
    ::dup2(output, 1);
    ::dup2(error_output, 2);
    ::signal(SIGINT, SIG_IGN);
    ::execv(arguments[0], arguments.data());
    const int error = errno;
    if (::write(failure[1], &error, sizeof error) < 0) ::_exit(126);
    ::_exit(127);
  }
  ::close(failure[1]);
  int error = process < 0 ? errno : 0;
  if (process > 0 && ::read(failure[0], &error, sizeof error) != sizeof error) error = 0;
  ::close(failure[0]);
  if (error == 0) return process;
  if (process > 0) ::waitpid(process, nullptr, 0);
  errno = error;
  return -1;
}

// Appends the available bytes; false at the end of the stream.
bool take_bytes(int fd, std::string& into) {
  char block[1 << 16];
  for (;;) {
    const ssize_t n = ::read(fd, block, sizeof block);
    if (n > 0) into.append(block, static_cast<std::size_t>(n));
    if (n == 0) return false;
    if (n < 0) return errno == EAGAIN || errno == EINTR;
    if (into.size() > sizeof block * 16) return true;
  }
}

std::vector<std::string> programs_there(const std::string& launcher) {
  if (const char* named = std::getenv("DRIVERLAB_REMOTE"); named != nullptr && *named != '\0') return {named};
  std::error_code error;
  const std::string own = std::filesystem::read_symlink("/proc/self/exe", error).string();
  const bool other_files =
      std::filesystem::path(launcher).filename().string().find("ssh") != std::string::npos;
  if (own.empty() || own.find_first_of(" \t'\"\\$&;|<>()*?") != std::string::npos) return {"driverlab"};
  return other_files ? std::vector<std::string>{"driverlab", own}
                     : std::vector<std::string>{own, "driverlab"};
}

bool is_cancelled(const std::atomic<bool>* cancel) {
  return cancel != nullptr && cancel->load();
}

}  // namespace

Result<std::vector<std::string>> split_launcher(const std::string& text, const std::string& option) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else if (c == '\\' && quote != '\'' && i + 1 < text.size())
      words.back() += text[++i];
    else
      words.back() += c;
  }
  if (quote != 0) return problem(Text::CliOpenQuote, {option, text, std::string(1, quote)});
  return words;
}

bool Remote::Impl::start(const std::vector<std::string>& command) {
  int input[2], output[2], error_output[2];
  if (::pipe2(input, O_CLOEXEC) != 0) return false;
  const FileDescriptor its_input(input[0]);
  to = FileDescriptor(input[1]);
  if (::pipe2(output, O_CLOEXEC) != 0) return false;
  from = FileDescriptor(output[0]);
  const FileDescriptor its_output(output[1]);
  if (::pipe2(error_output, O_CLOEXEC) != 0) return false;
  errors = FileDescriptor(error_output[0]);
  const FileDescriptor its_errors(error_output[1]);
  for (const int fd : {from.get(), errors.get()}) ::fcntl(fd, F_SETFL, O_NONBLOCK);
  lines = {};
  said.clear();
  gone = false;
  last_heard = SteadyClock::now();
  {
    const std::scoped_lock lock(sending);
    outbox.open(to.get());
  }
  process = start_launcher(command, its_input.get(), its_output.get(), its_errors.get());
  return process > 0;
}

bool Remote::Impl::send(char kind, const std::string& body) {
  const std::scoped_lock lock(sending);
  if (!to) return false;
  const WithoutSigpipe quiet;
  outbox.add(lines_of({kind, body}));
  return outbox.write();
}

// Sends what could not be sent before, and a sign that this side still works. True: there is more to send.
bool Remote::Impl::send_waiting() {
  bool alive_due = false;
  {
    const std::scoped_lock lock(sending);
    const WithoutSigpipe quiet;
    if (to && !outbox.write()) outbox.close();  // the reading side notices that the other side is gone
    if (outbox.waiting() > 0) return true;
    alive_due = SteadyClock::now() - outbox.last_moved() > Seconds(kAliveEvery);
  }
  if (alive_due) send(kAskAlive);
  return false;
}

bool Remote::Impl::stuck() const {
  const std::scoped_lock lock(sending);
  return outbox.stuck(silence_ends);
}

bool Remote::Impl::take(milliseconds patience) {
  if (gone) return false;
  // poll() ignores negative descriptors.
  pollfd wait[3] = {
      {from.get(), POLLIN, 0}, {errors.get(), POLLIN, 0}, {send_waiting() ? to.get() : -1, POLLOUT, 0}};
  ::poll(wait, 3, static_cast<int>(patience.count()));
  std::string bytes, words;
  if (errors && !take_bytes(errors.get(), words)) errors.reset();
  if (!words.empty()) {
    if (::write(2, words.data(), words.size()) < 0)
      errno = 0;  // the launcher may wait for a person or in a queue
    said += words;
    if (said.size() > kSaidKept) said.erase(0, said.size() - kSaidKept);
  }
  gone = !take_bytes(from.get(), bytes);
  lines.add(bytes);
  if (!bytes.empty()) last_heard = SteadyClock::now();
  send_waiting();
  return !gone || !bytes.empty();
}

bool Remote::Impl::silent() const {
  return SteadyClock::now() - last_heard > silence_ends || stuck();
}

// The other side sees the end of its input and cleans up; then the launcher ends too. A launcher that does
// not end is killed.
void Remote::Impl::end() {
  if (process <= 0) return;
  {
    const std::scoped_lock lock(sending);
    outbox.close();
    to.reset();
  }
  const auto until = SteadyClock::now() + Seconds(10);
  bool ended = false;
  while (!ended && SteadyClock::now() < until) {
    std::string ignored;
    if (from) take_bytes(from.get(), ignored);
    if (errors) take_bytes(errors.get(), ignored);
    ended = ::waitpid(process, nullptr, WNOHANG) == process;
    if (!ended) std::this_thread::sleep_for(milliseconds(5));
  }
  if (!ended) {
    ::kill(process, SIGTERM);
    for (int i = 0; i < 200 && !ended; ++i) {
      std::this_thread::sleep_for(milliseconds(10));
      ended = ::waitpid(process, nullptr, WNOHANG) == process;
    }
  }
  if (!ended) {
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
  }
  process = -1;
}

Problem Remote::Impl::broken() const {
  if (lines.damaged()) return {Text::RemoteDamaged, {launcher, "@dl"}};
  if (gone || !silent()) return {Text::RemoteBroken, {launcher}};
  return {stuck() ? Text::RemoteStuck : Text::RemoteSilent, {launcher, std::to_string(silence_ends.count())}};
}

std::string Remote::Impl::words_of_launcher() const {
  std::string words = lines.foreign() + said;
  while (!words.empty() && (words.back() == '\n' || words.back() == '\r')) words.pop_back();
  return words.empty() ? "–" : words;
}

Remote::Remote() : impl_(std::make_unique<Impl>()) {}
Remote::~Remote() = default;
const Driver& Remote::driver() const {
  return impl_->driver;
}
const std::string& Remote::launcher() const {
  return impl_->launcher;
}

Result<std::shared_ptr<Remote>> Remote::connect(const std::vector<std::string>& launcher,
                                                const std::atomic<bool>* cancel) {
  std::shared_ptr<Remote> remote(new Remote);
  Impl& impl = *remote->impl_;
  impl.launcher = fmt::format("{}", fmt::join(launcher, " "));
  const auto program = launcher.empty() ? std::nullopt : find_program(launcher.front());
  if (!program) return problem(Text::RemoteNoLauncher, {impl.launcher, std::strerror(ENOENT)});
  std::string said;
  for (const std::string& there : programs_there(launcher.front())) {
    impl.end();
    std::vector<std::string> command = launcher;
    command.front() = program->string();
    command.insert(command.end(), {there, "serve"});
    if (!impl.start(command)) return problem(Text::RemoteNoLauncher, {impl.launcher, std::strerror(errno)});
    std::optional<RemoteMessage> hello;
    while (!(hello = impl.lines.next()) && impl.take(kLook) && !impl.lines.damaged()) {
      impl.last_heard = SteadyClock::now();
      if (is_cancelled(cancel)) return problem(Text::RemoteBroken, {impl.launcher});
    }
    if (!hello) hello = impl.lines.next();
    if (hello) {
      const auto known = hello->kind == kTellHello ? hello_from(hello->body) : std::nullopt;
      if (known && known->version == version() && known->sentences == kTextCount) return remote;
      return problem(Text::RemoteVersion,
                     {impl.launcher, known ? known->version : std::string("?"), std::string(version())});
    }
    if (!said.empty()) said += " · ";
    said += impl.words_of_launcher();
  }
  return problem(Text::RemoteNoAnswer, {impl.launcher, std::string(version()), said});
}

namespace {

// A file with its name in front.
Result<bool> send_file(Remote::Impl& impl, const std::string& name, const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestFile)
    return problem(Text::RemoteTooLarge, {path.string(), std::to_string(size), std::to_string(kLargestFile)});
  auto text = read_file(path, kLargestFile);
  if (!text) return tl::unexpected(text.error());
  if (!impl.send(kAskFile, name + '\0' + *text)) return tl::unexpected(impl.broken());
  return true;
}

// The reply to a request; pings go on while the other side works.
Result<BuildResult> wait_for_build(Remote::Impl& impl, const std::atomic<bool>* cancel) {
  for (;;) {
    while (const auto message = impl.lines.next()) {
      if (message->kind == kTellDriver)
        if (const auto driver = driver_from(message->body)) impl.driver = *driver;
      if (message->kind == kTellProblem)
        if (auto found = problem_from(message->body)) return tl::unexpected(std::move(*found));
      if (message->kind == kTellBuild)
        if (auto result = build_from(message->body)) return std::move(*result);
    }
    if (!impl.take(kLook) || impl.lines.damaged() || impl.silent() || is_cancelled(cancel))
      return tl::unexpected(impl.broken());
  }
}

}  // namespace

BuildResult Remote::build(const Lesson& lesson, const std::filesystem::path& folder, DriverChoice choice,
                          const std::atomic<bool>* cancel) {
  BuildResult failed;
  RemoteOrder order;
  order.driver = driver_word(choice);
  order.lesson = lesson;
  if (!impl_->send(kAskRequest, to_message(order))) {
    failed.problem = impl_->broken();
    return failed;
  }
  for (const std::string& name : lesson.files())
    if (const auto sent = send_file(*impl_, name, folder / name); !sent) {
      failed.problem = sent.error();
      return failed;
    }
  impl_->send(kAskBuild);
  auto result = wait_for_build(*impl_, cancel);
  if (result) return std::move(*result);
  failed.problem = result.error();
  return failed;
}

Result<bool> Remote::send_program(const std::vector<std::string>& command,
                                  const std::filesystem::path& folder, DriverChoice choice,
                                  const std::atomic<bool>* cancel) {
  RemoteOrder order;
  order.driver = driver_word(choice);
  order.command = command;
  order.folder = folder.string();
  const std::filesystem::path program = folder / command.at(0);
  struct stat about{};
  const bool ours = command[0].find('/') != std::string::npos && ::stat(program.c_str(), &about) == 0 &&
                    S_ISREG(about.st_mode);
  if (ours) {
    order.program_bytes = static_cast<std::uint64_t>(about.st_size);
    order.program_time = std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec;
  }
  if (!impl_->send(kAskRequest, to_message(order))) return tl::unexpected(impl_->broken());
  if (ours)
    if (auto sent = send_file(*impl_, program.filename().string(), program); !sent) return sent;
  impl_->send(kAskBuild);
  const auto result = wait_for_build(*impl_, cancel);
  if (!result) return tl::unexpected(result.error());
  if (result->problem) return tl::unexpected(*result->problem);
  return true;
}

}  // namespace lab

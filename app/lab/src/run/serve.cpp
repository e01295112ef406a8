// SPDX-License-Identifier: MIT
// The serving side of a connection: receives a lesson or a program, builds it, runs it, and reports what
// happens, until the run has ended or the asking side is gone. Everything that was sent is in one folder,
// which is removed at the end.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <future>

#include "lab/files.hpp"
#include "lab/remote.hpp"
#include "lab/session.hpp"
#include "lab/version.hpp"
#include "run/remote_line.hpp"
#include "run/remote_messages.hpp"
#include "run/remote_outbox.hpp"
#include "run/serve_folder.hpp"
#include "trace/recording_stream.hpp"

namespace lab {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kMostSent = std::uint64_t{256} << 20;
constexpr std::size_t kMostEventsAtOnce = 20'000;
constexpr std::size_t kMostWaiting = std::size_t{4} << 20;  // bytes; then events wait in the store
constexpr int kServedWell = 0, kServedNot = 1;

class Server {
 public:
  Server(int input, int output, const Installation& installation, const std::filesystem::path& folder,
         std::chrono::seconds silence_ends)
      : input_(input),
        output_(output),
        installation_(installation),
        folder_(folder),
        silence_ends_(silence_ends),
        bell_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    outbox_.open(output);
  }
  int run();

 private:
  bool tell(char kind, const std::string& body = {});  // never waits; listen() sends what is left
  void listen(milliseconds patience);  // receives commands; sets gone_ if the asking side is gone
  void obey(const RemoteMessage& message);
  bool take_file(const std::string& body);
  BuildResult prepare();
  BuildResult place_program();
  bool build();
  bool start();
  void follow();
  void tell_pending();
  void tell_the_rest();

  int input_, output_;
  const Installation& installation_;
  std::filesystem::path folder_;
  std::chrono::seconds silence_ends_;
  FileDescriptor bell_;
  RemoteLines lines_;
  RemoteOutbox outbox_;
  bool gone_ = false;
  steady_clock::time_point last_heard_ = steady_clock::now();

  std::optional<RemoteOrder> order_;
  std::uint64_t sent_ = 0;
  bool build_asked_ = false;
  std::optional<RemoteStart> start_;
  std::atomic<bool> cancel_ = false;

  RunRequest request_;
  std::unique_ptr<Session> session_;
  std::string told_pending_;
};

bool Server::tell(char kind, const std::string& body) {
  if (gone_) return false;
  outbox_.add(lines_of({kind, body}));
  gone_ = !outbox_.write();
  return !gone_;
}

// An asking side that receives nothing counts as gone, even if it still sends signs of life.
void Server::tell_the_rest() {
  while (!gone_ && outbox_.waiting() > 0) listen(milliseconds(500));
}

void Server::listen(milliseconds patience) {
  pollfd wait[3] = {
      {input_, POLLIN, 0}, {bell_.get(), POLLIN, 0}, {outbox_.waiting() > 0 ? output_ : -1, POLLOUT, 0}};
  if (::poll(wait, 3, static_cast<int>(patience.count())) < 0) return;
  if (wait[1].revents != 0) {
    std::uint64_t rings = 0;
    if (::read(bell_.get(), &rings, sizeof rings) < 0) errno = 0;
  }
  if (wait[0].revents != 0) {
    char block[1 << 16];
    const ssize_t n = ::read(input_, block, sizeof block);
    if (n == 0 || (n < 0 && errno != EINTR && errno != EAGAIN)) gone_ = true;
    if (n > 0) {
      lines_.add({block, static_cast<std::size_t>(n)});
      last_heard_ = steady_clock::now();
    }
  }
  while (const auto message = lines_.next()) obey(*message);
  gone_ = gone_ || !outbox_.write() || outbox_.stuck(silence_ends_) || lines_.damaged() ||
          steady_clock::now() - last_heard_ > silence_ends_;
}

void Server::obey(const RemoteMessage& message) {
  std::uint32_t thread = 0;
  switch (message.kind) {
    case kAskAlive:
      tell(kTellAlive);
      break;
    case kAskRequest:
      if (!order_) order_ = order_from(message.body);
      break;
    case kAskFile:
      if (!take_file(message.body)) gone_ = true;
      break;
    case kAskBuild:
      build_asked_ = true;
      break;
    case kAskGo:
      if (!start_) start_ = start_from(message.body);
      break;
    case kAskStep:
      if (std::from_chars(message.body.data(), message.body.data() + message.body.size(), thread).ec ==
              std::errc{} &&
          session_)
        session_->step(thread);
      break;
    case kAskStepAny:
      if (session_) session_->step_any();
      break;
    case kAskRunOn:
      if (session_) session_->run_on();
      break;
    case kAskHold:
      if (session_) session_->hold();
      break;
    case kAskBreakpoints:
      if (session_) session_->set_breakpoints(breakpoints_from(message.body));
      break;
    case kAskStop:
      cancel_ = true;
      if (session_) session_->stop();
      break;
    default:
      break;
  }
}

// Below the folder, and not over an existing file.
bool Server::take_file(const std::string& body) {
  const std::size_t end = body.find('\0');
  sent_ += body.size();
  if (end == std::string::npos || end == 0 || sent_ > kMostSent) return false;
  const std::filesystem::path name = std::filesystem::path(body.substr(0, end)).lexically_normal();
  if (name.is_absolute() || name.empty() || *name.begin() == ".." || name.filename().empty() ||
      *name.begin() == "." || *name.begin() == ".lock")
    return false;
  std::error_code error;
  std::filesystem::create_directories((folder_ / "sent" / name).parent_path(), error);
  return write_file(folder_ / "sent" / name, std::string_view(body).substr(end + 1)).has_value();
}

// The same file in the same place, if both machines share a home; otherwise the file that was sent.
BuildResult Server::place_program() {
  BuildResult result;
  std::error_code error;
  const std::filesystem::path folder = order_->folder, named = order_->command.front();
  const bool folder_is_here = folder.is_absolute() && std::filesystem::is_directory(folder, error);
  request_.working_folder = folder_is_here ? folder : folder_ / "sent";
  if (order_->program_bytes > 0) {
    struct stat about{};
    const std::filesystem::path there = folder / named;
    const bool same =
        ::stat(there.c_str(), &about) == 0 &&
        static_cast<std::uint64_t>(about.st_size) == order_->program_bytes &&
        std::int64_t{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec == order_->program_time;
    const std::filesystem::path sent = folder_ / "sent" / named.filename();
    if (!same) ::chmod(sent.c_str(), 0700);
    order_->command.front() = same ? there.string() : sent.string();
  }
  request_.command = order_->command;
  request_.limits.seconds = 0;
  request_.limits.memory_bytes = ~std::uint64_t{0};
  request_.limits.output_bytes = std::uint64_t{1} << 40;
  request_.source_folder = folder;
  result.ok = true;
  result.program = order_->command.front();
  return result;
}

// In a separate thread, so that this side can still reply to pings.
BuildResult Server::prepare() {
  BuildResult failed;
  const auto choice = parse_driver(order_->driver);
  auto driver = choose_driver(choice.value_or(DriverChoice::Auto), installation_);
  if (!driver) {
    failed.problem = driver.error();
    return failed;
  }
  request_.driver = *driver;
  if (!order_->lesson) return place_program();
  Lesson lesson = *order_->lesson;
  lesson.folder = folder_ / "sent";
  request_.working_folder = request_.source_folder = lesson.folder;
  request_.limits = lesson.limits;
  BuildResult built = build_lesson(lesson, lesson.folder, *driver, installation_, &cancel_);
  request_.command = {built.program.string()};
  return built;
}

bool Server::build() {
  auto built = std::async(std::launch::async, [this] { return prepare(); });
  while (built.wait_for(milliseconds(0)) != std::future_status::ready) {
    listen(milliseconds(20));
    if (gone_) cancel_ = true;
  }
  const BuildResult result = built.get();
  if (gone_) return false;
  if (!request_.driver.description.empty()) tell(kTellDriver, to_message(request_.driver));
  tell(kTellBuild, to_message(result));
  return result.ok;
}

bool Server::start() {
  request_.hold = start_->hold;
  request_.stacks = start_->stacks;
  request_.preload = start_->preload;
  request_.language = start_->language;
  // As much as was asked for, but limited, because other people use this machine too.
  request_.trace_bytes = static_cast<std::size_t>(start_->trace_bytes);
  if (const std::size_t most = half_of_memory(); most != 0 && request_.trace_bytes > most)
    request_.trace_bytes = most;
  auto session = Session::start(request_, installation_);
  if (!session) {
    tell(kTellProblem, to_message(session.error()));
    return false;
  }
  session_ = std::move(*session);
  session_->set_on_change([bell = bell_.get()] {
    const std::uint64_t one = 1;
    if (::write(bell, &one, sizeof one) < 0) errno = 0;  // full: it rings already
  });
  return tell(kTellStarted, to_message(session_->interception()));
}

void Server::tell_pending() {
  std::string words = to_message(RemotePending{session_->pending(), session_->passing()});
  if (words == told_pending_) return;
  tell(kTellPending, words);
  told_pending_ = std::move(words);
}

void Server::follow() {
  trace::RecordingStream stream({});
  std::size_t told = 0;
  for (bool over = false; !over;) {
    over = !session_->running();
    const std::size_t until = std::min(session_->store().size(), told + kMostEventsAtOnce);
    if (until > told && outbox_.waiting() < kMostWaiting) {
      tell(kTellEvents, stream.take(session_->store(), told, until));
      told = until;
    }
    if (told < session_->store().size()) {
      over = false;
      // Commands are received even if there is much to send.
      listen(milliseconds(outbox_.waiting() < kMostWaiting ? 0 : 500));
    } else if (!over) {
      tell_pending();
      listen(milliseconds(500));
    }
    if (gone_) return;
  }
  tell(kTellEnd, to_message(session_->end().value_or(RunEnd{})));
}

int Server::run() {
  tell(kTellHello, to_message(RemoteHello{std::string(version()), kTextCount}));
  while (!gone_ && !cancel_ && !(order_ && build_asked_)) listen(milliseconds(500));
  const bool built = !gone_ && !cancel_ && build();
  while (built && !gone_ && !cancel_ && !start_) listen(milliseconds(500));
  const bool started = built && !gone_ && !cancel_ && start();
  if (started) follow();
  tell_the_rest();
  if (!started) return kServedNot;
  session_->stop();
  session_->wait();
  session_.reset();
  return gone_ ? kServedNot : kServedWell;
}

}  // namespace

int serve(int input, int output, const Installation& installation, std::chrono::seconds silence_ends) {
  ::signal(SIGPIPE, SIG_IGN);
  auto folder = ServeFolder::create();
  if (!folder) {
    const std::string words = folder.error().in(language_from_environment()) + "\n";
    if (::write(STDERR_FILENO, words.data(), words.size()) < 0) return kServedNot;
    return kServedNot;
  }
  // The build is removed with the rest.
  ::setenv("XDG_CACHE_HOME", (folder->path() / "cache").c_str(), 1);
  return Server(input, output, installation, folder->path(), silence_ends).run();
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// One run: a thread that starts the program, reads its rings and its output, enforces its time limit, carries
// out commands, and records the end. New events are in the store before anyone is notified.
#include "lab/session.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <future>
#include <map>
#include <mutex>
#include <thread>

#include "base/spawn.hpp"
#include "build/toolchain.hpp"
#include "lab/source_lines.hpp"
#include "lab/version.hpp"
#include "lab/wall_clock.hpp"
#include "run/output_files.hpp"
#include "run/session_remote.hpp"
#include "run/supervised_program.hpp"

namespace lab {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

// The time between two looks: for some time after new events, while the program starts, and if nothing
// happens.
constexpr microseconds kSoon{200}, kAwake{20'000}, kStarting{1000}, kLate{8000};
constexpr microseconds kBetweenNotices{6000};  // on_change is called no more often than a screen shows
constexpr std::size_t kManyEvents = 2000;      // so many at once: the program is waiting for us
constexpr std::chrono::seconds kPatience{5};   // for a supervisor to stop

double seconds(Clock::duration d) {
  return std::chrono::duration<double>(d).count();
}

Result<std::vector<std::string>> whole_command(const RunRequest& request) {
  std::vector<std::string> command = request.command;
  if (command.empty()) return problem(Text::ProgramMissing, {""});
  const auto program = find_program(command[0]);
  if (!program) return problem(Text::ProgramMissing, {command[0]});
  std::error_code error;
  command[0] = std::filesystem::absolute(*program, error).string();
  return command;
}

Result<bool> parts_are_there(const RunRequest& request, const Installation& installation) {
  std::error_code error;
  for (const auto& part :
       {installation.tracer / "libcuda.so.1", installation.supervisor, installation.line_reader})
    if (!std::filesystem::exists(part, error))
      return problem(Text::PartMissing, {part.string(), remaking_command()});
  if (!std::filesystem::exists(request.driver.library, error))
    return problem(Text::DriverLibraryMissing, {request.driver.library.string(), remaking_command()});
  return true;
}

}  // namespace

// A run on this machine.
class LocalSession final : public Session {
 public:
  ~LocalSession() override;
  const trace::Store& store() const override;
  const RunRequest& request() const override;
  const Interception& interception() const override;
  std::vector<trace::Pending> pending() const override;
  bool running() const override;
  std::optional<RunEnd> end() const override;
  void step(std::uint32_t thread) override;
  void step_any() override;
  void run_on() override;
  void hold() override;
  void set_breakpoints(std::set<Breakpoint> breakpoints) override;
  bool passing() const override;
  void stop() override;
  std::optional<Problem> trouble() const override;
  void wait() override;
  void set_on_change(std::function<void()> f) override;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

struct LocalSession::Impl {
  RunRequest request;
  Installation installation;
  std::vector<std::string> command;
  Interception way;
  trace::Store store;
  std::unique_ptr<trace::Live> live;
  std::optional<OutputFiles> output;
  SourceLines lines;
  std::optional<SupervisedProgram> program;  // the thread's alone
  FileDescriptor bell;                       // eventfd: commands are waiting
  std::thread thread;

  mutable std::mutex mutex;  // for what follows
  std::condition_variable finished;
  std::vector<std::function<void()>> commands;
  std::vector<trace::Pending> pending;
  std::optional<RunEnd> end;
  std::optional<Problem> trouble;
  bool over = false;
  bool stop_wanted = false;  // not in the list of commands, because stopping must need no memory
  std::function<void()> on_change;
  bool notice_due = false;
  bool passing = false;    // written by the thread only
  unsigned run_asked = 0;  // requests to run on that the thread has not carried out yet

  // The thread's own.
  Clock::time_point begin, last_look, last_notice;
  double counted = 0;  // seconds, without the time held
  bool stopping = false, out_of_time = false;
  Clock::time_point stop_asked;
  std::set<Breakpoint> breakpoints;
  // The calls that each thread has completed since the program last ran on, counted up to an event; and that
  // number when a thread's held call was allowed to run (`let_go`), and when the program ran on (`leaving`).
  // A held call has no other lasting mark.
  std::map<std::uint32_t, std::size_t> completed, let_go, leaving;
  std::size_t completed_until = 0;

  explicit Impl(const RunRequest& r, const Installation& i)
      : request(r), installation(i), lines(r.source_folder, {.reader = i.line_reader}) {}

  Result<bool> prepare();
  Result<bool> start_program();
  void run(std::promise<Result<bool>> started);
  void follow();
  std::size_t look();
  std::size_t append_output(const OutputFiles::Sizes& until);
  std::uint64_t last_time() const { return store.size() > 0 ? store.time_at(store.size() - 1) : 0; }
  bool take_pending(bool changed);
  bool held() const;
  void run_on();
  void set_passing(bool on);
  bool at_breakpoint(const trace::Pending& call) const;
  void pass();
  void keep_time();
  void take_commands();
  void notify(bool changed);
  void ask_to_stop();
  void finish();
  void give_up();
  void ring();
  void post(std::function<void()> command_to_do);
};

Result<bool> LocalSession::Impl::prepare() {
  if (auto there = parts_are_there(request, installation); !there) return there;
  auto whole = whole_command(request);
  if (!whole) return tl::unexpected<Problem>(whole.error());
  command = std::move(*whole);
  way = find_interception(command[0]);
  if (way.kind == Interception::Kind::Secure) return tl::unexpected<Problem>(*way.why);
  output = OutputFiles::create(request.limits.output_bytes, request.trace_bytes);
  bell = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!output || !bell) return problem(Text::TraceMemory, {std::strerror(errno)});
  std::string error;
  trace::Live::Options options;
  options.tracer = installation.tracer;
  options.backend = request.driver.library;
  // With a real driver the program finds NVIDIA's toolkit where it always does.
  if (!request.driver.real) options.libraries = {request.driver.library_folder};
  options.hold = request.hold;
  options.stacks = request.stacks;
  options.preload = request.preload || way.kind == Interception::Kind::Preload;
  options.preload_names = way.names;
  options.most_bytes = request.trace_bytes;
  const Toolkit toolkit = choose_toolkit(request.driver, installation);
  if (request.driver.real)
    options.toolkit_path = {toolkit.library_folder};
  else
    options.toolkit = toolkit.library_folder;
  live = trace::Live::create(options, &error);
  if (!live) return problem(Text::TraceMemory, {error});
  live->set_on_module([this](const std::string& path, std::uint64_t bias) { lines.map(path, bias); });
  live->set_frames([this](const std::vector<std::uint64_t>& addresses, std::string_view python,
                          std::string& file, std::uint32_t& line) {
    std::optional<SourcePlace> place;
    std::string text = lines.frames(addresses, python, place);
    if (place) file = place->file, line = place->line;
    return text;
  });
  live->set_annotate([this](std::uint64_t address, std::string& file, std::uint32_t& line) {
    const auto place = lines.find(address);
    if (!place) return;
    file = place->file;
    line = place->line;
  });
  return true;
}

Result<bool> LocalSession::Impl::start_program() {
  std::vector<std::string> changes{std::string("DRIVERLAB_LANGUAGE=") + language_word(request.language)};
  changes.insert(changes.end(), request.environment.begin(), request.environment.end());
  for (const auto& [name, value] : live->environment())
    changes.push_back(std::string(name).append("=").append(value));
  SupervisionRequest wanted;
  wanted.supervisor = installation.supervisor;
  wanted.command = command;
  wanted.environment = environment_with(changes);
  wanted.folder = request.working_folder;
  wanted.output = output->descriptor(0);
  wanted.error_output = output->descriptor(1);
  wanted.limits = request.limits;
  wanted.outlives = request.outlives;
  auto started = SupervisedProgram::start(wanted);
  if (!started) return tl::unexpected<Problem>(started.error());
  program.emplace(std::move(*started));
  return true;
}

void LocalSession::Impl::run(std::promise<Result<bool>> started) {
  begin = last_look = Clock::now();
  Result<bool> result = true;
  try {
    result = start_program();
  } catch (const std::bad_alloc&) {
    result = tl::unexpected(Problem{Text::RunNoMemory, {}});
  }
  const bool runs = result.has_value();
  started.set_value(std::move(result));
  if (!runs) return;
  try {
    follow();
    finish();
  } catch (const std::bad_alloc&) {
    give_up();
  }
}

// Out of memory. The program is ended, and the store keeps what it has; nothing here may need memory.
void LocalSession::Impl::give_up() {
  program->stop();
  program->abandon();
  {
    const std::scoped_lock lock(mutex);
    trouble = Problem{Text::RunNoMemory, {}};
    end = RunEnd{trace::EndKind::TraceLost, 0, {}};
    over = true;
    notice_due = true;
  }
  finished.notify_all();
  try {
    notify(true);
  } catch (const std::bad_alloc&) {
    return;  // listeners also look by themselves from time to time
  }
}

void LocalSession::Impl::follow() {
  microseconds patience = kSoon;
  Clock::time_point last_news{};
  for (bool gone = false; !gone;) {
    take_commands();
    gone = program->look();
    const std::size_t news = look();
    keep_time();
    const bool changed = take_pending(news > 0);
    pass();
    notify(changed || news > 0);
    if (stopping && Clock::now() - stop_asked > kPatience) return program->abandon();
    const Clock::time_point now = Clock::now();
    if (news > 0) last_news = now;
    const bool awake = now - last_news < kAwake;
    patience = awake ? kSoon : std::min(patience * 2, store.size() == 0 ? kStarting : kLate);
    if (news >= kManyEvents || gone) continue;
    pollfd wait[2] = {{program->report(), POLLIN, 0}, {bell.get(), POLLIN, 0}};
    const timespec time{0, patience.count() * 1000};
    if (::ppoll(wait, 2, &time, nullptr) > 0) patience = kSoon;
  }
}

// Output that is in the files before the rings are read was written before any call that completes later.
std::size_t LocalSession::Impl::look() {
  const OutputFiles::Sizes now = output->sizes();
  std::size_t outputs = 0;
  const std::size_t calls = live->poll(store, [this, &outputs](std::uint64_t out, std::uint64_t err) {
    outputs += append_output({out, err});
  });
  return calls + outputs + append_output(now);
}

std::size_t LocalSession::Impl::append_output(const OutputFiles::Sizes& until) {
  return output->append_until(until, last_time(), store);
}

// True if the set of calls that have not returned has changed.
bool LocalSession::Impl::take_pending(bool changed) {
  const std::scoped_lock lock(mutex);
  std::vector<trace::Pending> now = live->pending();
  const auto same = [](const trace::Pending& a, const trace::Pending& b) {
    return a.thread == b.thread && a.held == b.held && a.call.t_ns == b.call.t_ns &&
           a.call.function == b.call.function;
  };
  if (!changed && std::equal(now.begin(), now.end(), pending.begin(), pending.end(), same)) return false;
  pending = std::move(now);
  return true;
}

bool LocalSession::Impl::held() const {
  const auto is_held = [](const trace::Pending& call) { return call.held; };
  return live->holding() && std::any_of(pending.begin(), pending.end(), is_held);
}

void LocalSession::Impl::set_passing(bool on) {
  const std::scoped_lock lock(mutex);
  passing = on;
}

// With breakpoints every call is held, and runs at once if it is at no breakpoint.
void LocalSession::Impl::run_on() {
  leaving.clear();
  let_go.clear();
  completed.clear();
  completed_until = store.size();
  for (const trace::Pending& call : pending)
    if (call.held) leaving[call.thread] = 0;
  set_passing(!breakpoints.empty());
  live->hold_all(passing);
}

bool LocalSession::Impl::at_breakpoint(const trace::Pending& call) const {
  const auto left = leaving.find(call.thread);
  const auto done = completed.find(call.thread);
  if (left != leaving.end() && left->second == (done == completed.end() ? 0 : done->second)) return false;
  const auto name = [](std::string_view path) { return path.substr(path.rfind('/') + 1); };
  return std::any_of(breakpoints.begin(), breakpoints.end(), [&](const Breakpoint& wanted) {
    return wanted.line == static_cast<int>(call.call.line) && name(wanted.file) == name(call.call.file);
  });
}

void LocalSession::Impl::pass() {
  if (!passing) return;
  for (; completed_until < store.size(); ++completed_until)
    if (store.kind_at(completed_until) == trace::EventKind::Call)
      ++completed[store.thread_at(completed_until)];
  for (const trace::Pending& call : pending) {
    if (!call.held) continue;
    if (at_breakpoint(call)) {
      set_passing(false);  // other threads are held at their next call
      const std::scoped_lock lock(mutex);
      notice_due = true;
      return;
    }
  }
  // Once for each call: the list of pending calls may be old, and the thread may already be at its next call.
  for (const trace::Pending& call : pending) {
    if (!call.held) continue;
    const auto [last, first] = let_go.emplace(call.thread, completed[call.thread]);
    if (!first && last->second == completed[call.thread]) continue;
    last->second = completed[call.thread];
    live->step(call.thread);
  }
}

void LocalSession::Impl::keep_time() {
  const auto now = Clock::now();
  if (!held() || passing) counted += seconds(now - last_look);
  last_look = now;
  if (stopping || request.limits.seconds <= 0 || counted <= request.limits.seconds) return;
  out_of_time = true;
  ask_to_stop();
}

void LocalSession::Impl::ask_to_stop() {
  if (stopping) return;
  stopping = true;
  stop_asked = Clock::now();
  program->stop();
}

void LocalSession::Impl::take_commands() {
  std::uint64_t rings = 0;
  if (::read(bell.get(), &rings, sizeof rings) < 0) return;  // there was no command
  std::vector<std::function<void()>> todo;
  bool stop = false;
  {
    const std::scoped_lock lock(mutex);
    todo.swap(commands);
    stop = stop_wanted;
  }
  if (stop) ask_to_stop();
  for (const auto& one : todo) one();
}

void LocalSession::Impl::notify(bool changed) {
  std::function<void()> tell;
  {
    const std::scoped_lock lock(mutex);
    notice_due = notice_due || changed;
    const auto now = Clock::now();
    if (!notice_due || !on_change || (!over && now - last_notice < kBetweenNotices)) return;
    notice_due = false;
    last_notice = now;
    tell = on_change;
  }
  tell();
}

void LocalSession::Impl::finish() {
  live->finish(store, [this](std::uint64_t out, std::uint64_t err) { append_output({out, err}); });
  output->append_rest(last_time(), store);
  RunEnd how = program->end();
  if (out_of_time && how.kind == trace::EndKind::Killed) {
    how.kind = trace::EndKind::TimeLimit;
    how.number = static_cast<int>(request.limits.seconds + 0.999);
  }
  trace::Event event;
  event.kind = trace::EventKind::ProcessEnd;
  event.end = how.kind;
  event.number = static_cast<std::uint64_t>(how.number);
  const auto elapsed = std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now() - begin).count();
  event.t_ns = std::max(static_cast<std::uint64_t>(elapsed), last_time());
  if (how.kind != trace::EndKind::Exit)
    if (const auto call = call_left_inside(store)) how.inside = std::string(store.at(*call).name);
  if (how.left_running > 0) how.calls_of_others = calls_of_others(store);
  how.unread = lines.unread();
  event.text = how.further();
  store.append(event);
  {
    const std::scoped_lock lock(mutex);
    pending.clear();
    end = std::move(how);
    over = true;
    notice_due = true;
  }
  finished.notify_all();
  notify(true);
}

void LocalSession::Impl::post(std::function<void()> command_to_do) {
  const std::scoped_lock lock(mutex);
  if (over) return;
  commands.push_back(std::move(command_to_do));
  ring();
}

void LocalSession::Impl::ring() {
  const std::uint64_t one = 1;
  if (bell && ::write(bell.get(), &one, sizeof one) < 0) return;  // full: it is signalled already
}

Session::~Session() = default;

void RunRequest::describe_run() {
  info.driver = driver.real ? "real" : "embedded";
  info.driver_name = driver.description;
  info.started = now_utc();
  info.made_by = name_and_version();
}

Result<std::unique_ptr<Session>> Session::start(const RunRequest& request, const Installation& installation) {
  if (request.remote) return start_remote_session(request);
  auto session = std::make_unique<LocalSession>();
  session->impl_ = std::make_unique<LocalSession::Impl>(request, installation);
  LocalSession::Impl& impl = *session->impl_;
  if (auto prepared = impl.prepare(); !prepared) {
    impl.over = true;
    return tl::unexpected<Problem>(prepared.error());
  }
  std::promise<Result<bool>> promise;
  auto started = promise.get_future();
  impl.thread = std::thread([&impl, p = std::move(promise)]() mutable { impl.run(std::move(p)); });
  if (auto result = started.get(); !result) {
    impl.over = true;
    return tl::unexpected<Problem>(result.error());
  }
  return session;
}

LocalSession::~LocalSession() {
  if (!impl_ || !impl_->thread.joinable()) return;
  stop();
  impl_->thread.join();
}

const trace::Store& LocalSession::store() const {
  return impl_->store;
}

const Interception& LocalSession::interception() const {
  return impl_->way;
}
const RunRequest& LocalSession::request() const {
  return impl_->request;
}

std::vector<trace::Pending> LocalSession::pending() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->pending;
}

bool LocalSession::running() const {
  const std::scoped_lock lock(impl_->mutex);
  return !impl_->over;
}

std::optional<RunEnd> LocalSession::end() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->end;
}

void LocalSession::step(std::uint32_t thread) {
  impl_->post([&impl = *impl_, thread] { impl.live->step(thread); });
}

void LocalSession::step_any() {
  impl_->post([&impl = *impl_] {
    const trace::Pending* longest = nullptr;
    for (const trace::Pending& call : impl.pending)
      if (call.held && (longest == nullptr || call.call.t_ns < longest->call.t_ns)) longest = &call;
    if (longest != nullptr) impl.live->step(longest->thread);
  });
}

// From here on, no call counts as held: the list of pending calls is from before.
void LocalSession::run_on() {
  {
    const std::scoped_lock lock(impl_->mutex);
    ++impl_->run_asked;
  }
  impl_->post([&impl = *impl_] {
    impl.run_on();
    const std::scoped_lock lock(impl.mutex);
    for (trace::Pending& call : impl.pending) call.held = call.held && impl.passing;
    --impl.run_asked;
  });
}

void LocalSession::hold() {
  impl_->post([&impl = *impl_] {
    impl.set_passing(false);
    impl.live->hold_all(true);
  });
}

void LocalSession::set_breakpoints(std::set<Breakpoint> breakpoints) {
  impl_->post([&impl = *impl_, breakpoints = std::move(breakpoints)]() mutable {
    impl.breakpoints = std::move(breakpoints);
    if (impl.passing || !impl.live->holding()) impl.run_on();
  });
}

bool LocalSession::passing() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->passing || impl_->run_asked > 0;
}

void LocalSession::stop() {
  const std::scoped_lock lock(impl_->mutex);
  impl_->stop_wanted = true;
  impl_->ring();
}

std::optional<Problem> LocalSession::trouble() const {
  const std::scoped_lock lock(impl_->mutex);
  return impl_->trouble;
}

void LocalSession::wait() {
  std::unique_lock lock(impl_->mutex);
  impl_->finished.wait(lock, [this] { return impl_->over; });
}

void LocalSession::set_on_change(std::function<void()> f) {
  std::function<void()> tell_now;
  {
    const std::scoped_lock lock(impl_->mutex);
    impl_->on_change = std::move(f);
    impl_->notice_due = impl_->store.size() > 0;  // for events from before the callback was set
    // After the end there is no thread any more that reads the bell.
    if (impl_->over) tell_now = impl_->on_change;
    impl_->ring();
  }
  if (tell_now) tell_now();
}

}  // namespace lab

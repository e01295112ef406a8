// SPDX-License-Identifier: MIT
// See session_remote.hpp. As for a run on this machine, new events are in the store before anyone is
// notified. One thread reads what arrives; the callers' own threads write the commands.
//
// If the connection breaks, the run ends as one whose trace was lost, and the events that have arrived stay.
#include "run/session_remote.hpp"

#include <condition_variable>
#include <new>
#include <thread>

#include "run/remote_impl.hpp"
#include "trace/recording_stream.hpp"

namespace lab {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kRemoteLook{50}, kBetweenRemoteNotices{6};

class RemoteSession final : public Session {
 public:
  explicit RemoteSession(const RunRequest& request)
      : request_(request), link_(request.remote->impl()), feed_(store_, ignored_) {}
  ~RemoteSession() override {
    stop();
    wait();
    if (thread_.joinable()) thread_.join();
  }

  Result<bool> begin();

  const trace::Store& store() const override { return store_; }
  const RunRequest& request() const override { return request_; }
  const Interception& interception() const override { return way_; }
  std::vector<trace::Pending> pending() const override {
    const std::scoped_lock lock(mutex_);
    return pending_.calls;
  }
  bool running() const override {
    const std::scoped_lock lock(mutex_);
    return !over_;
  }
  std::optional<RunEnd> end() const override {
    const std::scoped_lock lock(mutex_);
    return end_;
  }
  std::optional<Problem> trouble() const override {
    const std::scoped_lock lock(mutex_);
    return problem_;
  }
  void step(std::uint32_t thread) override { link_.send(kAskStep, std::to_string(thread)); }
  void step_any() override { link_.send(kAskStepAny); }
  void run_on() override {
    {
      const std::scoped_lock lock(mutex_);
      pending_.passing = true;  // until the other side reports something else
    }
    link_.send(kAskRunOn);
  }
  void hold() override { link_.send(kAskHold); }
  void set_breakpoints(std::set<Breakpoint> breakpoints) override {
    link_.send(kAskBreakpoints, to_message(breakpoints));
  }
  bool passing() const override {
    const std::scoped_lock lock(mutex_);
    return pending_.passing;
  }
  void stop() override {
    {
      const std::scoped_lock lock(mutex_);
      if (over_ || stop_asked_) return;
      stop_asked_ = steady_clock::now();
    }
    link_.send(kAskStop);
  }
  void wait() override {
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [this] { return over_; });
  }
  void set_on_change(std::function<void()> f) override;

 private:
  void follow();
  bool take(const RemoteMessage& message);
  bool given_up() const;
  Problem too_much() const;
  void finish();
  void notify();

  RunRequest request_;
  Interception way_;  // chosen on the other machine
  Remote::Impl& link_;
  trace::Store store_;
  trace::RunInfo ignored_;
  trace::RecordingFeed feed_;
  std::thread thread_;

  mutable std::mutex mutex_;  // for what follows
  std::condition_variable finished_;
  RemotePending pending_;
  std::optional<RunEnd> end_;
  std::optional<Problem> problem_;
  std::optional<steady_clock::time_point> stop_asked_;
  bool over_ = false, notice_due_ = false;
  std::function<void()> on_change_;
  steady_clock::time_point last_notice_;
};

// Waits until the program runs on the other machine, or could not be started.
Result<bool> RemoteSession::begin() {
  RemoteStart start;
  start.hold = request_.hold;
  start.stacks = request_.stacks;
  start.preload = request_.preload;
  start.language = request_.language;
  start.trace_bytes = request_.trace_bytes;
  bool sent = link_.send(kAskGo, to_message(start)), started = false;
  while (sent && !started) {
    while (const auto message = link_.lines.next()) {
      if (message->kind == kTellStarted) {
        started = true;
        if (auto way = interception_from(message->body)) way_ = std::move(*way);
        break;
      }
      if (message->kind != kTellProblem) continue;
      over_ = true;
      if (auto problem = problem_from(message->body)) return tl::unexpected(std::move(*problem));
    }
    if (!started) sent = link_.take(kRemoteLook) && !link_.silent() && !link_.lines.damaged();
  }
  if (!started) {
    over_ = true;
    return tl::unexpected(link_.broken());
  }
  thread_ = std::thread([this] { follow(); });
  return true;
}

bool RemoteSession::take(const RemoteMessage& message) {
  switch (message.kind) {
    case kTellEvents: {
      const trace::RecordingResult result = feed_.feed(message.body);
      if (result.problem == trace::RecordingProblem::None) break;
      const std::scoped_lock lock(mutex_);
      problem_ = result.problem == trace::RecordingProblem::TooLarge
                     ? too_much()
                     : Problem{Text::RemoteDamaged, {link_.launcher, result.detail}};
      return false;
    }
    case kTellPending:
      if (auto pending = pending_from(message.body)) {
        const std::scoped_lock lock(mutex_);
        pending_ = std::move(*pending);
      }
      break;
    case kTellEnd: {
      const std::scoped_lock lock(mutex_);
      end_ = end_from(message.body);
      return false;
    }
    default:
      return true;
  }
  const std::scoped_lock lock(mutex_);
  notice_due_ = true;
  return true;
}

// A program that is to stop gets some seconds; a connection that hangs is not waited for.
bool RemoteSession::given_up() const {
  const std::scoped_lock lock(mutex_);
  return stop_asked_ && steady_clock::now() - *stop_asked_ > std::chrono::seconds(15);
}

Problem RemoteSession::too_much() const {
  return {Text::RemoteFull,
          {link_.launcher, std::to_string(half_of_memory() >> 20),
           std::to_string(trace::RecordingLimits{}.events)}};
}

void RemoteSession::follow() try {
  for (bool goes_on = true; goes_on;) {
    goes_on = link_.take(kRemoteLook);
    while (const auto message = link_.lines.next())
      if (!take(*message)) {
        goes_on = false;
        break;
      }
    goes_on = goes_on && !link_.lines.damaged() && !link_.silent() && !given_up();
    notify();
  }
  finish();
} catch (const std::bad_alloc&) {
  {
    const std::scoped_lock lock(mutex_);
    problem_ = too_much();
  }
  finish();
}

void RemoteSession::finish() {
  bool lost = false;
  {
    const std::scoped_lock lock(mutex_);
    lost = !end_;
    if (lost && !problem_) problem_ = link_.broken();
  }
  if (lost) {
    trace::Event event;
    event.kind = trace::EventKind::ProcessEnd;
    event.end = trace::EndKind::TraceLost;
    event.t_ns = store_.size() > 0 ? store_.time_at(store_.size() - 1) : 0;
    store_.append(event);
  }
  link_.end();
  {
    const std::scoped_lock lock(mutex_);
    if (lost) end_ = RunEnd{trace::EndKind::TraceLost, 0, {}};
    pending_ = {};
    over_ = notice_due_ = true;
  }
  finished_.notify_all();
  notify();
}

void RemoteSession::notify() {
  std::function<void()> tell;
  {
    const std::scoped_lock lock(mutex_);
    const auto now = steady_clock::now();
    if (!notice_due_ || !on_change_ || (!over_ && now - last_notice_ < kBetweenRemoteNotices)) return;
    notice_due_ = false;
    last_notice_ = now;
    tell = on_change_;
  }
  tell();
}

void RemoteSession::set_on_change(std::function<void()> f) {
  std::function<void()> tell_now;
  {
    const std::scoped_lock lock(mutex_);
    on_change_ = std::move(f);
    notice_due_ = store_.size() > 0;
    if (over_) tell_now = on_change_;
  }
  if (tell_now) tell_now();
}

}  // namespace

Result<std::unique_ptr<Session>> start_remote_session(const RunRequest& request) {
  auto session = std::make_unique<RemoteSession>(request);
  if (auto begun = session->begin(); !begun) return tl::unexpected(begun.error());
  return session;
}

}  // namespace lab

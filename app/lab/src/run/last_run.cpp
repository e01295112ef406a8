// SPDX-License-Identifier: MIT
// See last_run.hpp.
#include "run/last_run.hpp"

#include <chrono>
#include <utility>

#include "trace/recording.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostEvents = 1'000'000;  // more take longer to write than a window may take to close

class PastSession final : public Session {
 public:
  bool read(const std::filesystem::path& recording) {
    const trace::RecordingResult result = trace::read_recording(recording, store_, request_.info);
    end_ = end_of(store_);
    return result.problem == trace::RecordingProblem::None && store_.size() > 0;
  }
  const trace::Store& store() const override { return store_; }
  const RunRequest& request() const override { return request_; }
  const Interception& interception() const override { return interception_; }
  std::vector<trace::Pending> pending() const override { return {}; }
  bool running() const override { return false; }
  std::optional<RunEnd> end() const override { return end_; }
  void step(std::uint32_t) override {}
  void step_any() override {}
  void run_on() override {}
  void hold() override {}
  void set_breakpoints(std::set<Breakpoint>) override {}
  bool passing() const override { return false; }
  void stop() override {}
  void wait() override {}
  void set_on_change(std::function<void()> f) override {
    if (f) f();
  }

 private:
  trace::Store store_;
  RunRequest request_;
  Interception interception_;
  std::optional<RunEnd> end_;
};

bool write(const std::filesystem::path& file, const Session& session, const trace::RunInfo& info) {
  const trace::Store& store = session.store();
  if (store.size() > kMostEvents) return false;
  const auto writer = trace::RecordingWriter::create(file, info, nullptr);
  return writer && writer->write(store, 0, store.size()) && writer->finish();
}

}  // namespace

std::shared_ptr<Session> session_of_past(const std::filesystem::path& recording) {
  auto session = std::make_shared<PastSession>();
  return session->read(recording) ? session : nullptr;
}

LastRun::LastRun(const std::filesystem::path& data) : file_(data / "last_run.dlrec") {}

LastRun::~LastRun() {
  if (writing_.valid()) writing_.wait();
}

void LastRun::after_the_one_before(std::function<void()> work) {
  const std::shared_future<void> before = writing_.share();
  writing_ = std::async(std::launch::async, [before, work = std::move(work)] {
    if (before.valid()) before.wait();
    work();
  });
}

void LastRun::keep(std::shared_ptr<Session> session, trace::RunInfo info) {
  after_the_one_before([file = file_, session = std::move(session), info = std::move(info)] {
    std::error_code error;
    // An older run would otherwise be taken for this one.
    if (!write(file, *session, info)) std::filesystem::remove(file, error);
  });
}

void LastRun::forget() {
  after_the_one_before([file = file_] {
    std::error_code error;
    std::filesystem::remove(file, error);
  });
}

void LastRun::begin_reading(std::function<void()> when_done) {
  read_ = std::async(std::launch::async, [file = file_, tell = std::move(when_done)] {
    std::error_code error;
    auto session = std::filesystem::exists(file, error) ? session_of_past(file) : nullptr;
    tell();
    return session;
  });
}

bool LastRun::read() const {
  return read_.valid() && read_.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
}

std::shared_ptr<Session> LastRun::take() {
  return read_.get();
}

}  // namespace lab

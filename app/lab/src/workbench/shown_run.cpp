// SPDX-License-Identifier: MIT
// See shown_run.hpp.
#include "workbench/shown_run.hpp"

#include <algorithm>
#include <utility>

namespace lab {

ShownRun::ShownRun(const OpenFiles& now, std::shared_ptr<Wake> wake)
    : wake_(std::move(wake)), cursor_(empty_, wake_), text_(now), steps_(text_.sources()) {}

void ShownRun::begin(const trace::Store& store) {
  cursor_.show(store);
  predictions_.clear();
  steps_.begin();
}

void ShownRun::set_text(Sources sources) {
  text_.set(std::move(sources));
  steps_.begin();
  files_.clear();
}

void ShownRun::drop_session() {
  begin(empty_);  // the old store must not be used after its session is gone
  session_.reset();
  set_text({});
}

void ShownRun::show_nothing() {
  drop_session();
  recording_.reset();
}

void ShownRun::show_session(std::shared_ptr<Session> session, const trace::RunInfo& info) {
  show_nothing();
  session_ = std::move(session);
  info_ = info;
  set_text(info.sources);
  begin(session_->store());
}

void ShownRun::show_recording(const std::filesystem::path& path) {
  show_nothing();
  recording_ = std::make_shared<ReplayJob>(path);
  begin(recording_->store);
  cursor_.show_from_first_sight(recording_->store);
  recording_->start(wake_);
}

void ShownRun::take_sources_of_recording() {
  set_text(recording_->info.sources);
}

void ShownRun::know_sources(Sources sources) {
  set_text(std::move(sources));
  list_files();
}

std::shared_ptr<const void> ShownRun::owner() const {
  if (recording_) return recording_;
  return session_;
}

const trace::Store& ShownRun::store() const {
  if (recording_) return recording_->store;
  return session_ ? session_->store() : empty_;
}

bool ShownRun::growing() const {
  return recording_ ? !recording_->taken : session_ && session_->running();
}

bool ShownRun::held() const {
  if (!session_ || !session_->running() || session_->passing()) return false;
  const auto calls = session_->pending();
  return std::any_of(calls.begin(), calls.end(), [](const trace::Pending& call) { return call.held; });
}

bool ShownRun::ended() const {
  return session_ && !session_->running() && cursor_.moments() == session_->store().size();
}

std::optional<RunEnd> ShownRun::end() const {
  if (session_) return session_->end();
  if (!recording_ || !recording_->taken)
    return std::nullopt;  // as its sources: nothing before they are taken
  return recording_->end;
}

std::vector<trace::Pending> ShownRun::pending() const {
  return session_ ? session_->pending() : std::vector<trace::Pending>();
}

Workbench::Place ShownRun::place(bool next) const {
  const std::size_t calls = cursor_.calls();
  if (!next) return calls == 0 ? Workbench::Place{} : cursor_.place_of_call(calls - 1);
  if (calls < cursor_.known_calls()) return cursor_.place_of_call(calls);
  for (const trace::Pending& call : pending())
    if (!call.call.file.empty()) return {call.call.file, static_cast<int>(call.call.line)};
  return {};
}

std::optional<std::string> ShownRun::step_name() {
  const std::size_t calls = cursor_.calls();
  if (calls > 0)
    if (const auto step = steps_.step_of(calls - 1, store(), cursor_.known_calls()); step.known)
      return step.name;
  // Before the first call: the place where it will be made; the same for a moment in a long run that was just
  // opened.
  const Workbench::Place here = place(calls == 0);
  return steps_.step_at_line(here.file, here.line);
}

bool ShownRun::expected_failure(std::size_t event) {
  if (event >= store().size() || store().kind_at(event) != trace::EventKind::Call ||
      store().result_at(event) == 0)
    return false;
  return text_.expected_failure(store().at(event));
}

bool ShownRun::fold() {
  if (!cursor_.fold()) return false;
  if (cursor_.following() && held()) cursor_.show_process_of_last_call();
  return true;
}

}  // namespace lab

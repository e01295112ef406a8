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
  recording_->start(wake_);
}

void ShownRun::take_sources_of_recording() {
  set_text(recording_->info.sources);
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

bool ShownRun::fold() {
  if (!cursor_.fold()) return false;
  if (cursor_.following() && held()) cursor_.show_process_of_last_call();
  return true;
}

}  // namespace lab

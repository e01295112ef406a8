// SPDX-License-Identifier: MIT
// See run_steps.hpp.
#include "workbench/run_steps.hpp"

#include <utility>

namespace lab {
namespace {

constexpr std::size_t kMostCallsAtOnce = 3000;

}  // namespace

void RunSteps::begin() {
  marks_.reset();
  steps_ = {};
  step_of_call_.clear();
  starts_.clear();
  starts_seen_ = 0;
}

const std::vector<StepMark>& RunSteps::marks() {
  if (!marks_) {
    marks_.emplace();
    for (const auto& [file, text] : sources_)
      for (StepMark& mark : step_marks_in_source(file, text)) marks_->push_back(std::move(mark));
  }
  return *marks_;
}

void RunSteps::follow(const trace::Store& store, std::size_t known, std::size_t most) {
  if (marks().empty()) return;
  for (; most > 0 && step_of_call_.size() < known; --most) {
    const trace::Event call = store.at(store.event_of_call(step_of_call_.size()));
    const auto step = steps_.next(marks(), call.thread, call.file, static_cast<int>(call.line));
    step_of_call_.push_back(step ? static_cast<std::int32_t>(*step) : -1);
  }
}

RunSteps::Step RunSteps::step_of(std::size_t call, const trace::Store& store, std::size_t known) {
  follow(store, known, kMostCallsAtOnce);
  if (call >= step_of_call_.size()) return {};
  const std::int32_t step = step_of_call_[call];
  if (step < 0) return {true, std::nullopt};
  return {true, marks()[static_cast<std::size_t>(step)].name};
}

std::optional<std::string> RunSteps::step_at_line(const std::string& file, int line) {
  const StepMark* mark = step_at(marks(), file, line);
  return mark ? std::optional(mark->name) : std::nullopt;
}

const std::vector<Workbench::StepStart>& RunSteps::starts(const trace::Store& store, std::size_t known) {
  follow(store, known, kMostCallsAtOnce);
  for (; starts_seen_ < step_of_call_.size(); ++starts_seen_) {
    const std::int32_t step = step_of_call_[starts_seen_];
    if (step < 0) continue;
    const std::string& name = marks()[static_cast<std::size_t>(step)].name;
    if (starts_.empty() || starts_.back().step != name) starts_.push_back({name, starts_seen_});
  }
  return starts_;
}

std::vector<std::size_t> RunSteps::calls_of(const std::string& step, const trace::Store& store,
                                            std::size_t known) {
  follow(store, known, known);
  // Names are compared once a mark, not once a call: a run may have millions.
  std::vector<bool> wanted;
  for (const StepMark& mark : marks()) wanted.push_back(mark.name == step);
  std::vector<std::size_t> calls;
  for (std::size_t call = 0; call < step_of_call_.size(); ++call) {
    const std::int32_t number = step_of_call_[call];
    if (number >= 0 && wanted[static_cast<std::size_t>(number)]) calls.push_back(call);
  }
  return calls;
}

}  // namespace lab

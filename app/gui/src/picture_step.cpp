// SPDX-License-Identifier: MIT
// See picture_step.hpp.
#include "picture_step.hpp"

#include "formatting.hpp"
#include "lab/copy.hpp"
#include "picture_copies.hpp"
#include "picture_text.hpp"

namespace gui::picture {
namespace {

using lab::Text;

bool may_prove_work_done(trace::Function function) {
  using F = trace::Function;
  return trace::purpose_of(function) == trace::Purpose::Waits || function == F::cuStreamQuery ||
         function == F::cuEventQuery || function == F::cuEventElapsedTime || function == F::cuMemcpyDtoH;
}

StepAnswers answers_of(const ShownRun& run, std::size_t moment, const trace::Event& event) {
  StepAnswers answers;
  if (event.kind != trace::EventKind::Call || !event.returned || event.result != 0) return answers;
  answers.written = written_words(run.model, moment - 1, event, run.variable);
  const trace::Function function = event.function;
  if (function == trace::Function::cuDeviceGet || function == trace::Function::cuDeviceGetCount ||
      function == trace::Function::cuDeviceGetName)
    answers.devices_before = run.model.aside(moment - 1).devices.size();
  if (const auto copy = lab::copy_of(event)) {
    const lab::State& now = run.model.at(moment);
    answers.copied_from = end_name(run, now, copy->from), answers.copied_to = end_name(run, now, copy->to);
  }
  if (const lab::State* before = before_work_was_done(run, moment, event))
    answers.waiting_before = waiting_work(*before);
  return answers;
}

}  // namespace

std::size_t moment_shown(const ShownRun& run) {
  constexpr int kMostSkipped = 256;
  std::size_t moment = run.cursor;
  for (int i = 0; i < kMostSkipped && moment > 1; ++i, --moment) {
    const trace::EventKind kind = run.store.kind_at(moment - 1);
    if (kind != trace::EventKind::Output && kind != trace::EventKind::ModuleMapped &&
        kind != trace::EventKind::Stack)
      break;
  }
  return moment;
}

const lab::State* before_work_was_done(const ShownRun& run, std::size_t moment, const trace::Event& event) {
  const bool proves = event.kind == trace::EventKind::Call && event.returned && event.result == 0 &&
                      may_prove_work_done(event.function);
  return proves ? &run.model.aside(moment - 1) : nullptr;
}

StepSaid step_said(const ShownRun& run, std::size_t moment, lab::Language language) {
  const trace::Event event = run.store.at(moment - 1);
  StepSaid said;
  said.title = lab::text(Text::PictureStep, language);
  if (event.kind == trace::EventKind::Call) {
    said.title += " · " + lab::text(Text::PictureCall, language, {std::to_string(run.calls())});
    (said.title += " · ") += event.name;
    said.failed =
        event.returned && event.result != 0 && !(run.expected_failure && run.expected_failure(moment - 1));
  }
  said.words = step_words(run.model.at(moment), event, language, answers_of(run, moment, event));
  if (said.words.empty()) said.title.clear();  // nothing to say: no card
  return said;
}

}  // namespace gui::picture

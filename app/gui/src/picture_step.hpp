// SPDX-License-Identifier: MIT
// What the step at the cursor did, in words, for the picture's card and for a presenter.
#pragma once
#include <cstddef>
#include <string>

#include "lab/text.hpp"
#include "picture_run.hpp"

namespace gui::picture {

// Output and mapped libraries change nothing in the picture: the call before them is still the step that is
// shown.
std::size_t moment_shown(const ShownRun& run);

// The state before the event in front of `moment`, if it is a call that may have shown that work in streams
// is done; else null, as this costs. Holds until the model is asked for another moment.
const lab::State* before_work_was_done(const ShownRun& run, std::size_t moment, const trace::Event& event);

struct StepSaid {
  std::string title;  // "This step · call 6 · cuCtxPushCurrent"
  std::string words;  // "+ A on top."; if there are none, there is no title either
  bool failed = false;
};
// At a moment after the first event.
StepSaid step_said(const ShownRun& run, std::size_t moment, lab::Language language);

}  // namespace gui::picture

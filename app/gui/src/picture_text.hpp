// SPDX-License-Identifier: MIT
// What one step did, as a sentence, which the picture shows beside the stacks. Pure: a state and an event in,
// text out.
#pragma once
#include <cstddef>
#include <optional>
#include <string>

#include "lab/state.hpp"
#include "lab/text.hpp"
#include "trace/event.hpp"

namespace gui::picture {

// The results of a call that changed nothing: they are the reason for the call.
struct StepAnswers {
  std::string written;                        // "count = 2, name = Embedded GPU 0"; see written_words()
  std::optional<std::size_t> devices_before;  // how many were known before a call that may add some
};
std::string step_words(const lab::State& state, const trace::Event& event, lab::Language language,
                       const StepAnswers& answers = {});

}  // namespace gui::picture

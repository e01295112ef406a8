// SPDX-License-Identifier: MIT
// What one step did, as a sentence. Pure; the picture shows it beside the stacks.
#pragma once
#include <string>

#include "lab/state.hpp"
#include "lab/text.hpp"
#include "trace/event.hpp"

namespace gui::picture {

std::string step_words(const lab::State& state, const trace::Event& event, lab::Language language);

}  // namespace gui::picture

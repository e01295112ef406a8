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
  std::string copied_from, copied_to;         // "#1", "back": of a call that copies between the two; or ""
  std::uint64_t waiting_before = 0;           // work in streams that was not known to be done before the call
  std::optional<std::size_t> devices_before;  // how many were known before a call that may add some
};
std::uint64_t waiting_work(const lab::State& state);  // in all streams, not known to be done
std::string step_words(const lab::State& state, const trace::Event& event, lab::Language language,
                       const StepAnswers& answers = {});

}  // namespace gui::picture

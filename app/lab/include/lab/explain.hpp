// SPDX-License-Identifier: MIT
// Why a call failed, from this run itself: which object, whose context, which earlier call, and what to do.
// If the model does not know, there is no explanation; the manual's general text is trace::result_string().
#pragma once
#include <cstddef>
#include <optional>

#include "lab/model.hpp"
#include "lab/text.hpp"
#include "trace/store.hpp"

namespace lab {

struct Explanation {
  Problem sentence;                  // names the value, the place and the remedy
  std::optional<std::size_t> event;  // the earlier call that it mentions, to jump to
};

// For a call of `store` that `model` has folded. Nothing if the call succeeded or no rule explains its
// failure. Looks back over a bounded number of events: use it for the calls that are shown, not for a whole
// run.
std::optional<Explanation> explain(const Model& model, const trace::Store& store, std::size_t event);

}  // namespace lab

// SPDX-License-Identifier: MIT
// Why a call failed, from this run itself: which object, whose context, which earlier call, and what to do.
// Where the model does not know, nothing is said; the manual's general sentence is trace::result_string().
#pragma once
#include <cstddef>
#include <optional>

#include "lab/model.hpp"
#include "lab/text.hpp"
#include "trace/store.hpp"

namespace lab {

struct Explanation {
  Problem sentence;                  // names the value, the place and the way out
  std::optional<std::size_t> event;  // the earlier call that it speaks of, to jump to
};

// For a call of `store` that `model` has folded; nothing for one that succeeded or that nobody here
// understands. Looks back over a bounded number of events: call it for what is shown, not for a whole run.
std::optional<Explanation> explain(const Model& model, const trace::Store& store, std::size_t event);

}  // namespace lab

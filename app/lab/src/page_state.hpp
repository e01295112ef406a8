// SPDX-License-Identifier: MIT
// What changes from one moment of a run to the next, as data for the page's viewer: an object whose keys name
// parts of the picture and whose values are the parts, null for what is gone. Nothing here depends on HTML.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "lab/state.hpp"

namespace lab {

// One for each page; moments must come in order.
class PageState {
 public:
  // Keys: "t0" a thread, "d0" a device, "c3" a context (its index), "a7" an allocation, "o12" an object.
  nlohmann::json change_to(const State& now);

 private:
  State before_;
};

}  // namespace lab

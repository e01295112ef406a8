// SPDX-License-Identifier: MIT
// The one sentence about two runs: that they are the same, or where they part and why.
#pragma once
#include "lab/workbench.hpp"

namespace gui {

lab::Problem parting_words(const lab::Workbench& bench, const lab::Workbench::Other& other,
                           const lab::Comparison& found, lab::Language language);

}  // namespace gui

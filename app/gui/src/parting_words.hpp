// SPDX-License-Identifier: MIT
// The one sentence about two runs: that they are the same, or where they part and why. Beside a recording the
// runs are the left and the right one; else they are this run and the run before.
#pragma once
#include "lab/workbench.hpp"

namespace gui {

lab::Problem parting_words(const lab::Workbench& bench, const lab::Workbench::Other& other,
                           const lab::Comparison& found, lab::Language language);

}  // namespace gui

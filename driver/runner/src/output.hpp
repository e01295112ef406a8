// SPDX-License-Identifier: MIT
// The output of kernels, passed to the host: device printf and failed assertions. The host writes it to its
// own stdout and stderr.
#pragma once

#include <string_view>

#include "runner/control.hpp"

namespace runner {

// Puts text into the shared ring; when it is full the oldest goes, as the programming guide says of the
// hardware. Safe from several threads, and whole: no other text comes between.
void print(OutputKind kind, std::string_view text);

}  // namespace runner

// SPDX-License-Identifier: MIT
// The output of kernels, passed to the host: device printf and failed assertions. The host writes it to its
// own stdout and stderr.
#pragma once

#include <string_view>

#include "runner/control.hpp"

namespace runner {

// Puts text into the shared ring. If the ring is full, the oldest text is dropped, as the programming guide
// says of the hardware. Safe to use from several threads; a text is never mixed with another.
void print(OutputKind kind, std::string_view text);

}  // namespace runner

// SPDX-License-Identifier: MIT
// How long a tick of the shared clock (clock.hpp) is, measured once in the life of the process. The reader
// alone needs it; the traced program only counts ticks.
#pragma once
#include "clock.hpp"

namespace trace {

// Nanoseconds per tick. The first call waits until the process is 5 ms old; a lab compiles for longer.
double nanoseconds_per_tick(wire::Clock clock);

}  // namespace trace

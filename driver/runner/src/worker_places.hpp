// SPDX-License-Identifier: MIT
// Which core each worker runs on, so that two of them do not wait for each other on one.
//
// On a busy machine the system wakes a thread where it ran last, and two that once met on a core stay there:
// a launch that both are woken for runs on that core alone. So a worker that goes to sleep where another
// lives moves away first. It stays free to run anywhere: the system may have its reasons. Each worker calls
// for itself.
#pragma once

namespace runner {

// For workers 0 to `count` - 1, of which there are no more than cores. Before any of them runs.
void make_places(unsigned count);
// Nothing is left to do: remembers where this worker is, and leaves a core that another has.
void settle(unsigned worker);

}  // namespace runner

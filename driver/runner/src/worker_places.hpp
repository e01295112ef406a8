// SPDX-License-Identifier: MIT
// Which core each worker runs on, so that two of them do not wait for each other on one.
//
// On a busy machine the system wakes a thread on the core where it last ran, so two workers that were once on
// the same core stay there: a launch for which both are woken runs on only one core. So a worker that goes to
// sleep on the core of another one moves away first. It may still run anywhere, because the system may have
// reasons to move it. Each worker calls this for itself.
#pragma once

namespace runner {

// For workers 0 to `count` - 1, of which there are no more than cores. Before any of them runs.
void make_places(unsigned count);
// Called when nothing is left to do: remembers the core of this worker, and leaves a core that another worker
// has.
void settle(unsigned worker);

}  // namespace runner

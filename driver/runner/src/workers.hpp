// SPDX-License-Identifier: MIT
// The threads that run kernels, and what each of them runs.
//
// Launches are taken in the order in which they were posted. A later one begins as soon as all blocks of the
// earlier one are taken, or if the earlier one has to wait for another. KernelCode runs the code itself.
#pragma once

namespace runner {

// Starts the workers. False if the system refuses even one thread.
bool start_workers();

// Called from time to time by the main thread: if launches wait, and every worker has been busy with the same
// work since the last call, one more worker is started, so that kernels which wait for each other end.
// Returns whether anything runs or waits.
bool relieve_starved_launches();

}  // namespace runner

// SPDX-License-Identifier: MIT
// The threads that run kernels, and what each of them runs.
//
// Launches are taken in the order in which they were posted. A later one begins as soon as all blocks of the
// earlier one are taken, or if the earlier one has to wait for another. KernelCode runs the code itself.
#pragma once

namespace runner {

// Starts the workers. False when the system gives not even one thread.
bool start_workers();

// Asked now and then by the main thread: when launches wait while every worker has been busy with the same
// work since the last time, one more worker is started, so that kernels which wait for each other end.
// Whether anything runs or waits.
bool relieve_starved_launches();

}  // namespace runner

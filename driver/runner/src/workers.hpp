// SPDX-License-Identifier: MIT
// The threads that run kernels, and who runs what.
//
// Launches are taken in the order in which they were posted; a later one begins as soon as nothing of an
// earlier one is left to claim, or when the earlier has to wait for another. Knows no code: KernelCode runs.
#pragma once

namespace runner {

// Starts the workers. False when the system gives not even one thread.
bool start_workers();

// Asked now and then by the main thread: when launches wait while every worker has been busy with the same
// work since the last time, one more worker is started, so that kernels which wait for each other end.
// Whether anything runs or waits.
bool relieve_starved_launches();

}  // namespace runner

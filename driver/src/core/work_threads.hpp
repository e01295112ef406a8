// SPDX-License-Identifier: MIT
// Threads for what cannot be done by the calling one: shared by all streams, made when none is idle.
//
// They never end: the program may leave main while they work, and the process takes them along. They block
// all signals, so that a program's handlers run in the program's own threads. Knows nothing of streams.
#pragma once

#include <functional>

namespace driver {

// False when the system gives no thread (RLIMIT_NPROC): then the caller has to do it.
bool run_on_a_thread(std::function<void()> work);

}  // namespace driver

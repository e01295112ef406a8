// SPDX-License-Identifier: MIT
// Threads for work that the calling thread cannot do: shared by all streams, made when none is idle.
//
// They end only with the process: the program may leave main while they work. They block all signals, so that
// a program's handlers run in the program's own threads. Does not depend on streams.
#pragma once

#include <functional>

namespace driver {

// False if the system refuses a thread (RLIMIT_NPROC): then the caller has to do the work.
bool run_on_a_thread(std::function<void()> work);

}  // namespace driver

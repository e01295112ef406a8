// SPDX-License-Identifier: MIT
// What every part of the runner needs to know about its process.
//
// One process serves one context, so its state is global: the shared control memory, and the function that
// ends the process after a kernel has failed. Does not depend on kernels.
#pragma once

#include <cstdint>
#include <optional>

#include "kernel_abi/kernel_abi.hpp"
#include "runner/control.hpp"

namespace runner {

// The shared memory; set by main before anything else runs.
inline Control* control = nullptr;

// Reports the outcome to the host and ends the process at once. May be called from a signal handler.
[[noreturn]] void end_with(Outcome outcome, std::optional<std::uint64_t> address = {});

// The same, but only when the thread that runs the kernel has finished its present blocks, so that their
// other messages come before (truth fault_assert, step 3: two threads, two messages).
void end_after_these_blocks(Outcome outcome);
// Ends the process if that was requested.
void end_if_asked();

// Set by a thread while it loads or runs the compiler's library, which ends the process if it has no memory.
inline thread_local volatile bool compiling = false;

// Set by a thread while it runs blocks of a launch: its ticket.
inline thread_local volatile std::uint64_t running_ticket = 0;

// Signals become outcomes from here on; every thread that runs kernels calls the second for its own stack.
void catch_faults();
// From here on, if the process has no memory left, it reports that to the host and ends.
void end_without_memory();
void use_signal_stack();

}  // namespace runner

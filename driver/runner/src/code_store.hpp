// SPDX-License-Identifier: MIT
// The code that the host has sent: modules, and the kernels of them that were launched.
//
// Messages come through the window of the shared memory, and a separate thread reads them. A kernel is made
// ready to run when the first launch needs it. Does not depend on launches.
#pragma once

#include <cstdint>

#include "kernel_code.hpp"

namespace runner {

// Takes messages for ever; the body of the thread that does.
void take_messages();

// The kernel of this number, compiled at the first call. Never fails: code that cannot be made to run ends
// the process.
KernelCode& kernel_code(std::uint64_t number);

}  // namespace runner

// SPDX-License-Identifier: MIT
// The heap for malloc and free in kernels.
//
// A range of addresses that only this process has: as on the hardware, the host cannot copy from it, and it
// exists as long as the context. Safe to use from several threads. Does not depend on kernels.
#pragma once

#include <cstdint>

namespace runner {

// Aligned to 16; 0 if there is no room, or `bytes` is 0.
std::uint64_t allocate_on_heap(std::uint64_t bytes);
// Does nothing for 0. An address that was never allocated, or was freed already, ends the process.
void free_on_heap(std::uint64_t address);

}  // namespace runner

// SPDX-License-Identifier: MIT
// What malloc and free in a kernel work on.
//
// A range of addresses of this process alone: as on the hardware the host cannot copy from it, and it lives
// as long as the context. Safe from several threads. Knows no kernels.
#pragma once

#include <cstdint>

namespace runner {

// Aligned to 16; 0 when there is no room, or nothing was asked for.
std::uint64_t allocate_on_heap(std::uint64_t bytes);
// Nothing for 0. What was never given out, or was given back already, ends the process.
void free_on_heap(std::uint64_t address);

}  // namespace runner

// SPDX-License-Identifier: MIT
// How many blocks of a kernel a multiprocessor holds: threads, blocks, shared memory and registers of the
// device bound it.
#pragma once

#include <cstdint>

#include "core/code.hpp"

namespace driver {

inline constexpr unsigned kMostThreads = 1024;  // of a block, on every device

// No compiler for the device ran, so registers are estimated from the PTX: 8, and one for each 32-bit
// register that is alive at once where most are, counted without moving anything, between 16 and 255 and at
// most .maxnreg or what .maxntid leaves, or CU_JIT_MAX_REGISTERS of the loader (0: not given), where fewer
// than 24 count as 24, as measured. Never the limit of a small kernel.
int estimated_registers(const ptx::Function& code, unsigned most_wanted);

unsigned most_threads_of(const ptx::Function& code);  // of a block
std::uint64_t static_shared(const Function& function);

// Blocks of that many threads with that much dynamic shared memory; 0 when one is too large for the device.
// Measured: .maxntid does not count (truth occupancy, steps 148 to 162).
int blocks_per_multiprocessor(const Function& function, int threads, std::uint64_t dynamic_shared);

}  // namespace driver

// SPDX-License-Identifier: MIT
// The device memory that kernels of this process see, at the addresses that the host knows it by.
//
// The address ranges of all devices are set aside at the start, so that nothing else comes to lie in them;
// what is allocated is mapped over that, and what is freed is closed again. Knows no allocations.
#pragma once

#include <cstdint>

namespace runner {

// False when something lies in the way; the host then tries again with another layout of this process.
bool set_ranges_aside();

// Applies the host's changes up to number `until`. Safe from several threads.
void apply_changes(std::uint64_t until);

// Whether something that the host has allocated lies there for which the system had no mapping left. May be
// called in a signal handler.
bool could_not_be_mapped(std::uint64_t address);

// Whether an address lies in the ranges of the devices.
bool is_device_address(std::uint64_t address);

}  // namespace runner

// SPDX-License-Identifier: MIT
// The device memory for the kernels of this process, at the same addresses as for the host.
//
// The address ranges of all devices are reserved at the start, so that nothing else is placed there.
// Allocated memory is mapped into them, and freed memory is unmapped again. Does not depend on allocations.
#pragma once

#include <cstdint>

namespace runner {

// False if something else uses these addresses; the host then tries again with another layout of this
// process.
bool set_ranges_aside();

// Applies the host's changes up to number `until`. Safe from several threads.
void apply_changes(std::uint64_t until);

// Whether the host has allocated memory there for which the system had no mapping left. May be called in a
// signal handler.
bool could_not_be_mapped(std::uint64_t address);

}  // namespace runner

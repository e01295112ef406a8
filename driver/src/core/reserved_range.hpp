// SPDX-License-Identifier: MIT
// Addresses that are taken, and at which nothing can be accessed until something is mapped there.
//
// Does not depend on what they are for. The caller has to hold Driver's lock, exclusive.
#pragma once

#include <cstdint>

namespace driver {

// At `where`, or anywhere if that is 0. Null where something else lies there already, or there is no room.
void* reserve_range(std::uint64_t where, std::uint64_t size);

// The first free place from `next` on that is not a device's, and moves `next` behind it; 0 where there is
// none near. `alignment` is a power of two.
std::uint64_t reserve_next_range(std::uint64_t& next, std::uint64_t size, std::uint64_t alignment);

}  // namespace driver

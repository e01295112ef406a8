// Where the bytes of an address are, checked: what copies and fills begin with.
//
// A device address has to lie in one allocation with all its bytes. A host address is the caller's own
// business, unless it is one that this driver hands out: then it is held to the same.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/memory.hpp"

namespace driver {

enum class Side { Device, Host, Either };

// Null when the address does not hold `size` bytes that may be touched.
inline std::byte* find_bytes(Memory& memory, Side side, std::uint64_t address, std::uint64_t size) {
  if (const Allocation* const allocation = memory.find(address)) {
    if (allocation->holds(address, size)) return allocation->bytes_at(address);
    // Registered memory ends where the registration does, but the host's own memory goes on.
    const bool own = allocation->kind == MemoryKind::RegisteredHost && side != Side::Device;
    return own ? reinterpret_cast<std::byte*>(address) : nullptr;
  }
  if (side == Side::Device || address == 0 || memory.reserves(address)) return nullptr;
  return reinterpret_cast<std::byte*>(address);
}

}  // namespace driver

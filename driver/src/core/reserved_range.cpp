// SPDX-License-Identifier: MIT
// See reserved_range.hpp: the call of mmap, and which places are looked at.
#include "core/reserved_range.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <vector>

#include "core/driver.hpp"

namespace driver {
namespace {

constexpr std::uint64_t kStepAfterOthers = std::uint64_t{8} << 30;

// Devices with much memory reach into the addresses that are looked at first.
std::uint64_t behind_devices(std::uint64_t address, std::uint64_t size) {
  const std::vector<const Arena*> arenas = Driver::get().memory().arenas();
  for (bool moved = true; moved;) {
    moved = false;
    for (const Arena* const arena : arenas) {
      if (arena->base() + arena->size() <= address || address + size <= arena->base()) continue;
      address = arena->base() + arena->size();
      moved = true;
    }
  }
  return address;
}

}  // namespace

void* reserve_range(std::uint64_t where, std::uint64_t size) {
  void* const wanted = reinterpret_cast<void*>(where);
  const int fixed = where != 0 ? MAP_FIXED_NOREPLACE : 0;
  void* const got = mmap(wanted, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | fixed, -1, 0);
  if (got == MAP_FAILED) return nullptr;
  if (where == 0 || got == wanted) return got;
  munmap(got, size);
  return nullptr;
}

std::uint64_t reserve_next_range(std::uint64_t& next, std::uint64_t size, std::uint64_t alignment) {
  // Something else may lie at the next addresses of ours, as large as the view of a device's memory; look on.
  for (int attempt = 0; attempt < 64; ++attempt) {
    next = (behind_devices(next, size) + alignment - 1) / alignment * alignment;
    const std::uint64_t place = next;
    const bool free = reserve_range(place, size) != nullptr;
    next += free ? size : std::max(size, kStepAfterOthers);
    if (free) return place;
  }
  return 0;
}

}  // namespace driver

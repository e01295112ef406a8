// SPDX-License-Identifier: MIT
// See lab/host_memory.hpp.
#include "lab/host_memory.hpp"

#include <algorithm>

namespace lab {

// Copies from parts of one array name one region: what overlaps is the same memory. What only
// touches may be another array.
void HostMemory::apply(const HostChange& change) {
  named = true;
  if (change.size == 0) return;
  HostRegion region{0, change.address, change.size, change.event};
  std::uint64_t end = region.address + region.size;
  const auto meets = [&](const HostRegion& other) {
    return other.address < end && region.address < other.address + other.size;
  };
  for (auto it = std::find_if(plain.begin(), plain.end(), meets); it != plain.end();
       it = std::find_if(plain.begin(), plain.end(), meets)) {
    end = std::max(end, it->address + it->size);
    region.address = std::min(region.address, it->address);
    region.size = end - region.address;
    if (region.number == 0 || it->number < region.number)
      region.number = it->number, region.event = it->event;
    plain.erase(it);
  }
  if (region.number == 0) region.number = ++made;
  plain.insert(std::find_if(plain.begin(), plain.end(),
                            [&](const HostRegion& other) { return other.number > region.number; }),
               region);
  if (plain.size() > kMostRegions) plain.erase(plain.begin());
}

const HostRegion* HostMemory::holding(std::uint64_t address) const {
  for (const HostRegion& region : plain)
    if (address - region.address < region.size) return &region;
  return nullptr;
}

bool HostMemory::holds(std::uint64_t address, std::uint64_t size) const {
  const HostRegion* const region = holding(address);
  return region != nullptr && size <= region->size - (address - region->address);
}

}  // namespace lab

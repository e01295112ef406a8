// SPDX-License-Identifier: MIT
// Journal: the state of all mappings, and the addresses that changed lately.
//
// A note is only an address: the mapping there is looked up when the note is read, so memory that was
// allocated and freed between two launches costs one look-up.
#include "core/journal.hpp"

#include "core/context.hpp"

namespace driver {
namespace {

bool sees(const Journal::Reader& reader, const Mapping& mapping) {
  const Device& device = reader.context->device();
  if (mapping.owner == nullptr || &mapping.owner->device() == &device) return true;
  return mapping.pool != nullptr ? (mapping.guests & guest_bit(device)) != 0
                                 : reader.peers.contains(mapping.owner);
}

void close_mapping(Journal::Reader& reader, std::uint64_t address, std::vector<MappingChange>& changes) {
  const auto old = reader.mapped.find(address);
  if (old == reader.mapped.end()) return;
  changes.push_back({{}, address, old->second.size});
  reader.mapped.erase(old);
}

void open_mapping(Journal::Reader& reader, const Mapping& mapping, std::vector<MappingChange>& changes) {
  reader.mapped.emplace(mapping.address, mapping);
  changes.push_back({mapping, mapping.address, mapping.size});
}

}  // namespace

void Journal::note(std::uint64_t address) {
  const std::uint64_t position = end_.load(std::memory_order_relaxed);
  notes_[position % kMostNotes] = address;
  end_.store(position + 1, std::memory_order_release);
}

void Journal::map(const Mapping& mapping) {
  const std::lock_guard lock(lock_);
  live_[mapping.address] = mapping;
  note(mapping.address);
}

void Journal::unmap(std::uint64_t address) {
  const std::lock_guard lock(lock_);
  live_.erase(address);
  note(address);
}

void Journal::admit(const void* pool, std::uint64_t guests) {
  const std::lock_guard lock(lock_);
  for (auto& [address, mapping] : live_) {
    if (mapping.pool != pool || mapping.guests == guests) continue;
    mapping.guests = guests;
    note(address);
  }
}

bool Journal::read(Reader& reader, std::vector<MappingChange>& changes) {
  const std::lock_guard lock(lock_);
  const std::uint64_t end = end_.load(std::memory_order_relaxed);
  std::vector<std::uint64_t> addresses;
  if (reader.position != 0 && end - reader.position <= kMostNotes) {
    addresses.reserve(end - reader.position);
    for (std::uint64_t at = reader.position; at != end; ++at) addresses.push_back(notes_[at % kMostNotes]);
  } else {
    for (const auto& [address, mapping] : reader.mapped) addresses.push_back(address);
    for (const auto& [address, mapping] : live_) addresses.push_back(address);
  }
  changes.reserve(2 * addresses.size());  // so that no noted change is lost for want of memory
  const auto wanted = [&](std::uint64_t address) -> const Mapping* {
    const auto found = live_.find(address);
    return found != live_.end() && sees(reader, found->second) ? &found->second : nullptr;
  };
  // First everything that goes, then everything that comes: a new range may cover several old ones.
  for (const std::uint64_t address : addresses) {
    const Mapping* const now = wanted(address);
    const auto before = reader.mapped.find(address);
    if (before != reader.mapped.end() && (now == nullptr || !now->same_memory(before->second)))
      close_mapping(reader, address, changes);
  }
  try {
    for (const std::uint64_t address : addresses) {
      const Mapping* const now = wanted(address);
      if (now != nullptr && !reader.mapped.contains(address)) open_mapping(reader, *now, changes);
    }
  } catch (const std::bad_alloc&) {
    return false;
  }
  reader.position = end;
  return true;
}

}  // namespace driver

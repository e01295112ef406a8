// SPDX-License-Identifier: MIT
// See state_ledger.hpp. Questions about a context or a range of addresses are answered by scanning.
#include "model/state_ledger.hpp"

#include <algorithm>

namespace lab {

void StateLedger::forget() {
  index_.clear();
  ids_.clear();
  handles_.clear();
  given_.clear();
  scans_ = 0;
}

bool StateLedger::indexed() const {
  if (scans_ > kScansBeforeIndex) return true;
  if (++scans_ <= kScansBeforeIndex) return false;
  for (const Allocation& allocation : state_.allocations) index_[allocation.address] = allocation.number;
  for (const Object& object : state_.objects) enter(object);
  return true;
}

void StateLedger::touch(const Allocation& allocation) {
  if (touched_ != nullptr) touched_->allocations.push_back(allocation.number);
}

void StateLedger::touch(const Object& object) {
  if (touched_ != nullptr) touched_->objects.push_back(object.serial);
}

void StateLedger::enter(const Object& object) const {
  ids_.emplace(object.id, object.serial);
  if (object.handle != 0) handles_.emplace(object.id.kind, object.handle, object.serial);
  if (object.given) given_.emplace(object.owner, object.serial);
}

void StateLedger::leave(const Object& object) const {
  ids_.erase({object.id, object.serial});
  handles_.erase({object.id.kind, object.handle, object.serial});
  given_.erase({object.owner, object.serial});
}

// Allocations are in the order of their numbers.
AliveList<Allocation>::iterator StateLedger::numbered(std::uint32_t number) const {
  return std::partition_point(state_.allocations.begin(), state_.allocations.end(),
                              [number](const Allocation& allocation) { return allocation.number < number; });
}

void StateLedger::add(const Allocation& allocation) {
  state_.allocations.push_back(allocation);
  touch(allocation);
  if (scans_ > kScansBeforeIndex) index_[allocation.address] = allocation.number;
}

void StateLedger::remove(std::uint32_t number) {
  const auto found = numbered(number);
  if (found == state_.allocations.end() || found->number != number) return;
  touch(*found);
  index_.erase(found->address);
  state_.allocations.erase(found);
}

std::optional<Allocation> StateLedger::starting_at(std::uint64_t address) const {
  if (indexed()) {
    const auto found = index_.find(address);
    return found == index_.end() ? std::nullopt : std::optional(*numbered(found->second));
  }
  for (const Allocation& allocation : state_.allocations)
    if (allocation.address == address) return allocation;
  return std::nullopt;
}

std::optional<Allocation> StateLedger::holding(std::uint64_t address) const {
  if (indexed()) {
    const auto after = index_.upper_bound(address);
    if (after == index_.begin()) return std::nullopt;
    const Allocation& allocation = *numbered(std::prev(after)->second);
    return address - allocation.address < std::max<std::uint64_t>(allocation.size, 1)
               ? std::optional(allocation)
               : std::nullopt;
  }
  const Allocation* found = state_.allocation_at(address);
  return found ? std::optional(*found) : std::nullopt;
}

std::vector<std::uint32_t> StateLedger::owned_by(std::uint32_t context) const {
  std::vector<std::uint32_t> numbers;
  for (const Allocation& allocation : state_.allocations)
    if (allocation.context == context) numbers.push_back(allocation.number);
  return numbers;
}

std::vector<Allocation> StateLedger::between(std::uint64_t from, std::uint64_t bytes) const {
  std::vector<Allocation> found;
  for (const Allocation& allocation : state_.allocations)
    if (allocation.address >= from && allocation.address - from < bytes) found.push_back(allocation);
  std::sort(found.begin(), found.end(),
            [](const Allocation& a, const Allocation& b) { return a.address < b.address; });
  return found;
}

void StateLedger::change(const Allocation& now) {
  const auto found = numbered(now.number);
  if (found == state_.allocations.end() || found->number != now.number) return;
  touch(now);
  *found = now;
}

// Objects are in the order of their serials.
AliveList<Object>::iterator StateLedger::serial(std::uint32_t serial) const {
  return std::partition_point(state_.objects.begin(), state_.objects.end(),
                              [serial](const Object& object) { return object.serial < serial; });
}

AliveList<Object>::iterator StateLedger::identified(ObjectId id) const {
  if (indexed()) {
    const auto found = ids_.lower_bound({id, 0});
    return found == ids_.end() || std::get<ObjectId>(*found) != id ? state_.objects.end()
                                                                   : serial(std::get<std::uint32_t>(*found));
  }
  return std::find_if(state_.objects.begin(), state_.objects.end(),
                      [id](const Object& object) { return object.id == id; });
}

void StateLedger::add(const Object& object) {
  state_.objects.push_back(object);
  touch(object);
  if (scans_ > kScansBeforeIndex) enter(object);
}

void StateLedger::end(ObjectId id) {
  const auto found = identified(id);
  if (found == state_.objects.end()) return;
  touch(*found);
  leave(*found);
  state_.objects.erase(found);
}

void StateLedger::change(const Object& now) {
  const auto found = identified(now.id);
  if (found == state_.objects.end()) return;
  touch(now);
  leave(*found);
  *found = now;
  if (scans_ > kScansBeforeIndex) enter(now);
}

std::optional<Object> StateLedger::object(ObjectId id) const {
  const auto found = identified(id);
  return found == state_.objects.end() ? std::nullopt : std::optional(*found);
}

std::optional<Object> StateLedger::object_of(ObjectKind kind, std::uint64_t handle) const {
  if (handle == 0) return std::nullopt;
  if (indexed()) {
    const auto found = handles_.lower_bound({kind, handle, 0});
    const bool there = found != handles_.end() && std::get<ObjectKind>(*found) == kind &&
                       std::get<std::uint64_t>(*found) == handle;
    return there ? std::optional(*serial(std::get<std::uint32_t>(*found))) : std::nullopt;
  }
  const Object* found = state_.object_of(kind, handle);
  return found ? std::optional(*found) : std::nullopt;
}

std::vector<ObjectId> StateLedger::objects_of(std::uint32_t context) const {
  std::vector<ObjectId> ids;
  for (const Object& object : state_.objects)
    if (object.context == context) ids.push_back(object.id);
  return ids;
}

std::vector<ObjectId> StateLedger::given_by(ObjectId owner) const {
  std::vector<ObjectId> ids;
  if (indexed()) {
    for (auto found = given_.lower_bound({owner, 0}); found != given_.end(); ++found) {
      if (std::get<ObjectId>(*found) != owner) break;
      ids.push_back(serial(std::get<std::uint32_t>(*found))->id);
    }
    return ids;
  }
  for (const Object& object : state_.objects)
    if (object.owner == owner && object.given) ids.push_back(object.id);
  return ids;
}

void StateLedger::give(std::uint32_t from_context, std::uint32_t to_context) {
  for (Allocation& allocation : state_.allocations) {
    if (allocation.context != from_context) continue;
    touch(allocation);
    allocation.context = to_context;
  }
  for (Object& object : state_.objects) {
    if (object.context != from_context) continue;
    touch(object);
    object.context = to_context;
  }
  state_.work.apply(given_work(from_context, to_context));
}

}  // namespace lab

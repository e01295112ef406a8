// SPDX-License-Identifier: MIT
// See pool.hpp: pools, and the table of all pools by handle.
#include "core/pool.hpp"

#include <algorithm>

#include "core/driver.hpp"

namespace driver {
namespace {

// What a pool takes of a device at a time, as far as can be seen: truth pool_arguments, step 21.
constexpr std::uint64_t kReserveStep = 32u << 20;

}  // namespace

CUresult Pool::allocate(Context& context, Queue& queue, std::uint64_t size, CUdeviceptr& address) {
  Memory& memory = Driver::get().memory();
  // In the same stream, freed memory can be used at once: later work runs after the work that used it.
  const auto fits = [&](const Freed& freed) {
    return freed.allocation.owner == &context && freed.allocation.kind == memory_kind() &&
           freed.allocation.units() == Allocation{.size = size}.units() &&
           (freed.queue == &queue || freed.over());
  };
  const auto reusable = std::find_if(freed_.begin(), freed_.end(), fits);
  Allocation allocation;
  if (reusable != freed_.end()) {
    allocation = reusable->allocation;
    freed_bytes_ -= allocation.units();
    freed_.erase(reusable);
  } else {
    if (max_size != 0 && use->used + size > max_size) return CUDA_ERROR_OUT_OF_MEMORY;
    CUdeviceptr fresh = 0;
    if (take_fresh(context, size, fresh) != CUDA_SUCCESS) {
      trim(0);
      if (const CUresult error = take_fresh(context, size, fresh)) return error;
    }
    allocation = memory.detach(fresh);
  }
  allocation.size = size;
  allocation.pool = handle();
  allocation.pool_use = use;
  allocation.of_graph = allocation.dormant = false;
  address = allocation.base;
  use->used += allocation.units();
  use->used_high = std::max(use->used_high, use->used);
  memory.attach(std::move(allocation));
  note_high();
  return CUDA_SUCCESS;
}

MemoryKind Pool::memory_kind() const {
  return kind == PoolKind::Device    ? MemoryKind::Device
         : kind == PoolKind::Managed ? MemoryKind::Managed
                                     : MemoryKind::PinnedHost;
}

CUresult Pool::take_fresh(Context& context, std::uint64_t size, CUdeviceptr& address) const {
  Memory& memory = Driver::get().memory();
  if (kind == PoolKind::Device) return memory.allocate_device(context, size, address);
  void* host = nullptr;
  const unsigned flags = kind == PoolKind::Managed ? unsigned{CU_MEM_ATTACH_GLOBAL} : 0U;
  const CUresult error = memory.allocate_host(context, memory_kind(), size, flags, host);
  address = reinterpret_cast<CUdeviceptr>(host);
  return error;
}

void Pool::take_back(const Allocation& allocation, const Queue& queue, CompletionPointer moment) {
  freed_.push_back({allocation, &queue, std::move(moment)});
  freed_bytes_ += allocation.units();
  trim(threshold);
}

void Pool::trim(std::uint64_t keep) {
  Memory& memory = Driver::get().memory();
  std::erase_if(freed_, [&](const Freed& freed) {
    if (use->used + freed_bytes_ <= keep || !freed.over()) return false;
    freed_bytes_ -= freed.allocation.units();
    memory.drop(freed.allocation);
    return true;
  });
}

void Pool::inherit(Pool& other) {
  freed_.splice(freed_.end(), other.freed_);
  freed_bytes_ += other.freed_bytes_;
  other.freed_bytes_ = 0;
}

void Pool::forget(const Context& owner) {
  Memory& memory = Driver::get().memory();
  std::erase_if(freed_, [&](const Freed& freed) {
    if (freed.allocation.owner != &owner) return false;
    freed_bytes_ -= freed.allocation.units();
    memory.drop(freed.allocation);
    return true;
  });
}

std::uint64_t Pool::reserved() const {
  return (use->used + freed_bytes_ + kReserveStep - 1) / kReserveStep * kReserveStep;
}

void Pool::note_high() {
  reserved_high = std::max(reserved_high, reserved());
}

Pools& Pools::get() {
  static auto* const only = new Pools;
  return *only;
}

Pools::Pools() {
  Driver& driver = Driver::get();
  for (int ordinal = 0; ordinal < driver.device_count(); ++ordinal) {
    pools_.push_back(std::make_unique<Pool>(*driver.device(ordinal), 0));
    current_.push_back(pools_.back().get());
  }
}

Pool* Pools::find(CUmemoryPool handle) const {
  const auto pool = std::find_if(pools_.begin(), pools_.end(),
                                 [handle](const auto& candidate) { return candidate->handle() == handle; });
  return pool != pools_.end() ? pool->get() : nullptr;
}

Pool* Pools::imported_by(const Token& token) const {
  const auto pool = std::find_if(pools_.begin(), pools_.end(),
                                 [&token](const auto& candidate) { return candidate->imported == token; });
  return pool != pools_.end() ? pool->get() : nullptr;
}

Pool& Pools::default_of(const Device& device) {
  return *pools_[static_cast<std::size_t>(device.ordinal())];
}

Pool& Pools::current_of(const Device& device) {
  return *current_[static_cast<std::size_t>(device.ordinal())];
}

void Pools::set_current(const Device& device, Pool& pool) {
  current_[static_cast<std::size_t>(device.ordinal())] = &pool;
}

Pools::Elsewhere& Pools::at(const PoolPlace& place) {
  const int device = place.location == CU_MEM_LOCATION_TYPE_DEVICE ? place.device->ordinal() : 0;
  Elsewhere& found = elsewhere_[{place.location, device, place.kind}];
  if (found.usual == nullptr) found.usual = found.current = &create(*place.device, 0, place.kind);
  return found;
}

Pool& Pools::default_at(const PoolPlace& place) {
  return place.kind == PoolKind::Device ? default_of(*place.device) : *at(place).usual;
}

Pool& Pools::current_at(const PoolPlace& place) {
  return place.kind == PoolKind::Device ? current_of(*place.device) : *at(place).current;
}

void Pools::set_current_at(const PoolPlace& place, Pool& pool) {
  if (place.kind == PoolKind::Device)
    set_current(*place.device, pool);
  else
    at(place).current = &pool;
}

bool Pools::is_default(const Pool& pool) const {
  const bool elsewhere = std::any_of(elsewhere_.begin(), elsewhere_.end(),
                                     [&pool](const auto& entry) { return entry.second.usual == &pool; });
  if (elsewhere) return true;
  return std::any_of(pools_.begin(), pools_.begin() + static_cast<std::ptrdiff_t>(current_.size()),
                     [&pool](const auto& candidate) { return candidate.get() == &pool; });
}

Pool& Pools::create(Device& device, std::uint64_t max_size, PoolKind kind) {
  return *pools_.emplace_back(std::make_unique<Pool>(device, max_size, kind));
}

void Pools::forget(const Context& owner) {
  for (const auto& pool : pools_) pool->forget(owner);
}

void Pools::destroy(Pool& pool) {
  // A device whose current pool goes falls back to its default one.
  for (std::size_t ordinal = 0; ordinal < current_.size(); ++ordinal) {
    if (current_[ordinal] == &pool) current_[ordinal] = pools_[ordinal].get();
  }
  for (auto& [place, entry] : elsewhere_) {
    if (entry.current == &pool) entry.current = entry.usual;
  }
  if (pool.lent) Ledger::own()->give_back(*pool.lent);
  pool.trim(0);
  // Memory that earlier enqueued work still uses goes to the default pool, which frees it later.
  default_of(pool.device).inherit(pool);
  std::erase_if(pools_, [&pool](const auto& candidate) { return candidate.get() == &pool; });
}

}  // namespace driver

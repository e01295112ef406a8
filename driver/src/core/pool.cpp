// SPDX-License-Identifier: MIT
// See pool.hpp: pools, and the table of all pools by handle.
#include "core/pool.hpp"

#include <algorithm>
#include <mutex>
#include <shared_mutex>

#include "core/driver.hpp"

namespace driver {
namespace {

constexpr std::uint64_t kReserveStep = Memory::kChunkSize;

std::uint64_t in_steps(std::uint64_t bytes) {
  return (bytes + kReserveStep - 1) / kReserveStep * kReserveStep;
}

}  // namespace

CUresult Pool::allocate(Context& user, Queue& queue, std::uint64_t size, CUdeviceptr& address) {
  Memory& memory = Driver::get().memory();
  // Memory is where the pool is, wherever the stream is (truth peer_pool_stream_of_the_other, step 4).
  const bool elsewhere = kind == PoolKind::Device && &user.device() != &device;
  Context& context = elsewhere ? Driver::get().primary(device) : user;
  const std::uint64_t units = Allocation{.size = size}.units();
  // What a graph, cuMemAlloc or another pool left is seen by other devices than this pool's memory.
  const auto fits = [&](const Freed& freed) {
    return freed.allocation.owner == &context && freed.allocation.kind == memory_kind() &&
           freed.allocation.pool_use == use && freed.allocation.units() == units && may_use(queue, freed);
  };
  const auto reusable = std::find_if(freed_.begin(), freed_.end(), fits);
  Allocation allocation;
  if (reusable != freed_.end()) {
    allocation = reusable->allocation;
    freed_bytes_ -= allocation.units();
    freed_.erase(reusable);
  } else {
    if (max_size != 0 && use->used + size > max_size) return CUDA_ERROR_OUT_OF_MEMORY;
    // A real pool cuts it from what it has reserved.
    const std::uint64_t room = reserved();
    drop_freed(room > units ? room - units : 0);
    if (reserved() < room) kept_reserved_ = room;
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
  if (kind == PoolKind::Device) return memory.allocate_in_pool(context, size, address, use);
  void* host = nullptr;
  const unsigned flags = kind == PoolKind::Managed ? unsigned{CU_MEM_ATTACH_GLOBAL} : 0U;
  const CUresult error = memory.allocate_host(context, memory_kind(), size, flags, host);
  address = reinterpret_cast<CUdeviceptr>(host);
  return error;
}

// In the same stream freed memory can be used at once: later work runs after the work that used it. The same
// holds for a stream that waits for an event recorded after the free (truth sm_across, step 14). Without
// CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC the program itself has to wait first (sm_across_done, step 18).
// No dependency is added for another stream; an H100 added none either while the pool had memory
// (sm_across_internal, step 9).
bool Pool::may_use(const Queue& queue, const Freed& freed) const {
  const auto allowed = [this](CUmemPool_attribute attribute) { return reuse_by(attribute) != 0; };
  if (freed.queue == &queue || freed.waited_for) return true;
  if (freed.over() && allowed(CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC)) return true;
  return freed.queue != nullptr && allowed(CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES) &&
         queue.comes_after_free(*freed.queue, freed.number);
}

void Pool::take_back(const Allocation& allocation, CompletionPointer moment, const Queue* queue,
                     std::uint64_t number) {
  freed_.push_back({allocation, std::move(moment), queue, number});
  freed_bytes_ += allocation.units();
  Pools::expect_release();
  // What another process lends is not kept.
  if (queue == nullptr || imported) trim(imported ? 0 : threshold);
}

void Pool::take_back_at_once(const Allocation& allocation, CompletionPointer moment) {
  if (use->used + freed_bytes_ + allocation.units() <= threshold) {
    take_back(allocation, std::move(moment));
  } else {
    Driver::get().memory().drop(allocation);
    trim(threshold);
  }
}

bool Pool::release_after_waiting() {
  for (Freed& freed : freed_) freed.waited_for = freed.over();
  trim(threshold);
  return std::all_of(freed_.begin(), freed_.end(), [](const Freed& freed) { return freed.waited_for; });
}

void Pool::trim(std::uint64_t keep) {
  drop_freed(keep);
  kept_reserved_ = std::min(kept_reserved_, keep / kReserveStep * kReserveStep);
}

void Pool::drop_freed(std::uint64_t keep) {
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
    if (freed.allocation.owner != &owner || !freed.over()) return false;
    freed_bytes_ -= freed.allocation.units();
    memory.drop(freed.allocation);
    return true;
  });
}

std::uint64_t Pool::reserved() const {
  return std::max(kept_reserved_, in_steps(use->used + freed_bytes_));
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

Pool& Pools::taking_back(const Allocation& allocation) {
  Pool* const own = of(allocation);
  return own != nullptr ? *own : default_of(allocation.owner->device());
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

void Pools::release_after_waiting() {
  if (!something_to_release_.load(std::memory_order_acquire) || !Reserve::ready()) return;
  const std::unique_lock lock(Driver::get().lock());
  bool all = true;
  for (const auto& pool : get().pools_) all = pool->release_after_waiting() && all;
  something_to_release_.store(!all, std::memory_order_release);
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
  if (pool.kind == PoolKind::Device) Driver::get().memory().drop_spares_of(pool.device);
  // Memory that earlier enqueued work still uses goes to the default pool, which frees it later.
  default_of(pool.device).inherit(pool);
  std::erase_if(pools_, [&pool](const auto& candidate) { return candidate.get() == &pool; });
}

}  // namespace driver

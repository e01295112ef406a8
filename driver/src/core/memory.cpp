// SPDX-License-Identifier: MIT
// Memory: blocks of 2 MiB from a device's arena, small allocations inside blocks of their context, pages of
// host memory; and the table of all of them by address.
#include "core/memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/borrowed_memory.hpp"
#include "core/external_memory.hpp"
#include "core/registered_memory.hpp"

namespace driver {
namespace {

constexpr std::uint64_t kSmallLimit = 1u << 20;  // from here on an allocation has blocks of its own
// More than the memory, so that holes between allocations do not make a device seem full. The places lie
// below where the system puts things and are the same in every run; they are also among those that
// ThreadSanitizer allows.
constexpr std::uint64_t kMostRoomForHoles = std::uint64_t{8} << 30;
constexpr std::uint64_t kFirstDeviceAddress = 0x7e9000000000;
constexpr std::uint64_t kDeviceDistance = std::uint64_t{32} << 30;  // or a multiple of it
constexpr std::uint64_t kHostRange = std::uint64_t{64} << 30;
constexpr std::uint64_t kHostAddress = 0x7e8000000000;

}  // namespace

bool Memory::open(const std::deque<Device>& devices) {
  std::uint64_t address = kFirstDeviceAddress;
  for (const Device& device : devices) {
    const std::uint64_t total = device.total_memory();
    const std::uint64_t range =
        (total + std::min(total, kMostRoomForHoles) + kBlockSize - 1) / kBlockSize * kBlockSize;
    DeviceMemory memory;
    memory.arena = Arena::create("embedded-gpu-memory", address, range, HostAccess::Crashes);
    if (!memory.arena) return false;
    address += (range + kDeviceDistance - 1) / kDeviceDistance * kDeviceDistance;
    memory.blocks = RangeAllocator(memory.arena->size(), kBlockSize);
    memory.given_back = std::vector<std::atomic<bool>>(memory.arena->size() / kBlockSize);
    devices_.push_back(std::move(memory));
  }
  host_ = Arena::create("embedded-gpu-host", kHostAddress, kHostRange, HostAccess::AfterCommit);
  if (!host_) return false;
  host_pages_ = RangeAllocator(host_->size(), 4096);
  return true;
}

std::uint64_t Memory::capacity(const Device& device) const {
  return std::min(device.total_memory(), of(device).blocks.size());
}

std::uint64_t Memory::available(const Device& device) const {
  return capacity(device) - of(device).blocks.used() + of(device).spare;
}

bool Memory::has_room(const Device& device, std::uint64_t size) const {
  const RangeAllocator& blocks = of(device).blocks;
  const std::uint64_t most = capacity(device);
  return size <= most && blocks.round_up(size) <= most - blocks.used();
}

// Of blocks that were taken. False if the system has no memory for it.
bool Memory::open_blocks(const Sharing& sharing, std::uint64_t offset, std::uint64_t size) {
  const auto& [owner, pool] = sharing;
  DeviceMemory& memory = of(owner->device());
  const std::uint64_t address = memory.arena->base() + offset;
  if (!memory.arena->commit(address, size)) return false;
  journal_.map({.source = static_cast<unsigned>(owner->device().ordinal()),
                .offset = offset,
                .address = address,
                .size = size,
                .owner = owner,
                .pool = pool,
                .guests = pool != nullptr ? pool->guests : 0});
  for (std::uint64_t block = offset / kBlockSize; block * kBlockSize < offset + size; ++block)
    memory.given_back[block].store(false, std::memory_order_release);
  return true;
}

// The address, or 0. An arena's address need not be a multiple of 2 MiB where the kernel chose it, and 512 is
// all that is promised then.
std::uint64_t Memory::take_blocks(const Sharing& sharing, std::uint64_t size) {
  const Device& device = sharing.first->device();
  DeviceMemory& memory = of(device);
  if (!has_room(device, size)) return 0;
  const auto offset = memory.blocks.take(size);
  if (!offset) return 0;
  if (open_blocks(sharing, *offset, memory.blocks.round_up(size))) return memory.arena->base() + *offset;
  memory.blocks.give_back(*offset, size);
  return 0;
}

void Memory::give_back_blocks(DeviceMemory& memory, std::uint64_t address, std::uint64_t size) {
  journal_.unmap(address);
  memory.arena->release(address, memory.blocks.round_up(size));
  memory.blocks.give_back(address - memory.arena->base(), size);
}

void Memory::drop_spare(DeviceMemory& memory, SmallPool& pool) {
  if (pool.spare_block == 0) return;
  pool.blocks.erase(pool.spare_block);
  memory.spare -= kBlockSize;
  give_back_blocks(memory, pool.spare_block, kBlockSize);
  pool.spare_block = 0;
}

void Memory::drop_spares_of(const Device& device) {
  for (auto& [sharing, pool] : pools_) {
    if (&sharing.first->device() == &device) drop_spare(of(device), pool);
  }
  // A program may make and destroy many pools; an entry without blocks is of no use.
  std::erase_if(pools_, [](const auto& entry) { return entry.second.blocks.empty(); });
}

std::uint64_t Memory::take_small(const Context& owner, const std::shared_ptr<PoolUse>& use,
                                 std::uint64_t size, std::uint64_t& block) {
  const Sharing sharing{&owner, use.get()};
  SmallPool& pool = pools_[sharing];
  if (use != nullptr) pool.pool = use;
  DeviceMemory& memory = of(owner.device());
  for (auto& [base, units] : pool.blocks) {
    if (units.size() - units.used() < size) continue;
    const auto offset = units.take(size);
    if (!offset) continue;
    if (base == pool.spare_block) {
      pool.spare_block = 0;
      memory.spare -= kBlockSize;
    }
    block = base;
    return base + *offset;
  }
  block = take_blocks(sharing, kBlockSize);
  if (block == 0) return 0;
  return block + *pool.blocks.emplace(block, RangeAllocator(kBlockSize, kUnitSize)).first->second.take(size);
}

void Memory::give_back_small(const Allocation& allocation) {
  SmallPool& pool = pools_.at({allocation.owner, allocation.pool_use.get()});
  RangeAllocator& units = pool.blocks.at(allocation.block);
  units.give_back(allocation.base - allocation.block, allocation.size);
  if (units.used() != 0) return;
  // One empty block is kept: allocating and freeing in turn is what programs do.
  DeviceMemory& memory = of(allocation.owner->device());
  drop_spare(memory, pool);
  pool.spare_block = allocation.block;
  memory.spare += kBlockSize;
}

// Behind what the pool has, if nothing else lies there, as a real pool does (truth place_kernel_writes_0).
bool Memory::grow(PoolMemory& pool, const Context& user, std::uint64_t size) {
  const Device& device = user.device();
  DeviceMemory& memory = of(device);
  const auto in_chunks = [](std::uint64_t bytes) {
    return (bytes + kChunkSize - 1) / kChunkSize * kChunkSize;
  };
  std::optional<std::uint64_t> offset;
  std::uint64_t bytes = 0;
  if (!pool.chunks.empty()) {
    const auto& [last, length] = *std::prev(pool.chunks.end());
    bytes = in_chunks(size - pool.units.free_before(last + length));
    if (has_room(device, bytes) && memory.blocks.take_at(last + length, bytes)) offset = last + length;
  }
  if (!offset) {
    bytes = in_chunks(size);
    if (has_room(device, bytes)) offset = memory.blocks.take(bytes, kChunkSize);
  }
  if (!offset) {
    bytes = memory.blocks.round_up(size);
    if (has_room(device, bytes)) offset = memory.blocks.take(bytes);
  }
  if (!offset) return false;
  // Each chunk is given back by itself.
  for (std::uint64_t done = 0; done < bytes; done += kChunkSize) {
    const std::uint64_t chunk = *offset + done;
    const std::uint64_t length = std::min(kChunkSize, bytes - done);
    if (!open_blocks({&user, pool.pool.get()}, chunk, length)) {
      memory.blocks.give_back(chunk, bytes - done);
      return false;
    }
    pool.chunks.emplace(chunk, length);
    pool.units.add(chunk, length);
  }
  return true;
}

void Memory::give_back_to_pool(AssuredMap<const PoolUse*, PoolMemory>::iterator entry,
                               const Allocation& allocation) {
  DeviceMemory& memory = of(allocation.owner->device());
  PoolMemory& pool = entry->second;
  const std::uint64_t offset = allocation.base - memory.arena->base();
  pool.units.give_back(offset, allocation.size);
  auto chunk = std::prev(pool.chunks.upper_bound(offset));
  while (chunk != pool.chunks.end() && chunk->first < offset + allocation.size) {
    const auto [first, length] = *chunk;
    if (!pool.units.remove(first, length)) {
      ++chunk;
      continue;
    }
    for (std::uint64_t block = first / kBlockSize; block * kBlockSize < first + length; ++block)
      memory.given_back[block].store(true, std::memory_order_release);
    give_back_blocks(memory, memory.arena->base() + first, length);
    chunk = pool.chunks.erase(chunk);
  }
  if (pool.chunks.empty()) of_pools_.erase(entry);
}

bool Memory::is_given_back(std::uint64_t address, std::uint64_t bytes) const {
  const auto memory =
      std::find_if(devices_.begin(), devices_.end(),
                   [address](const DeviceMemory& candidate) { return candidate.arena->contains(address); });
  if (memory == devices_.end()) return false;
  const std::uint64_t offset = address - memory->arena->base();
  for (std::uint64_t block = offset / kBlockSize; block * kBlockSize < offset + bytes; ++block)
    if (memory->given_back[block].load(std::memory_order_acquire)) return true;
  return false;
}

CUresult Memory::allocate(Context& owner, std::uint64_t size, CUdeviceptr& address,
                          const std::function<std::uint64_t(std::uint64_t& block)>& take) {
  Allocation allocation{.size = size, .kind = MemoryKind::Device, .owner = &owner};
  allocation.base = take(allocation.block);
  if (allocation.base == 0 && of(owner.device()).spare > 0) {
    drop_spares_of(owner.device());
    allocation.base = take(allocation.block);
  }
  if (allocation.base == 0) return CUDA_ERROR_OUT_OF_MEMORY;
  allocation.view = of(owner.device()).arena->view(allocation.base);
  address = allocation.base;
  record(allocation);
  return CUDA_SUCCESS;
}

CUresult Memory::allocate_device(Context& owner, std::uint64_t size, CUdeviceptr& address,
                                 const std::shared_ptr<PoolUse>& guests) {
  return allocate(owner, size, address, [&](std::uint64_t& block) {
    return size < kSmallLimit ? take_small(owner, guests, size, block)
                              : take_blocks({&owner, guests.get()}, size);
  });
}

CUresult Memory::allocate_in_pool(Context& owner, std::uint64_t size, CUdeviceptr& address,
                                  const std::shared_ptr<PoolUse>& pool) {
  return allocate(owner, size, address, [&](std::uint64_t&) -> std::uint64_t {
    const auto entry = of_pools_.try_emplace(pool.get()).first;
    PoolMemory& memory = entry->second;
    memory.pool = pool;
    std::optional<std::uint64_t> offset = memory.units.take(size);
    if (!offset && grow(memory, owner, size)) offset = memory.units.take(size);
    if (memory.chunks.empty()) of_pools_.erase(entry);
    return offset ? of(owner.device()).arena->base() + *offset : 0;
  });
}

CUresult Memory::allocate_host(Context& owner, MemoryKind kind, std::uint64_t size, unsigned flags,
                               void*& address) {
  const auto offset = host_pages_.take(size);
  if (!offset) return CUDA_ERROR_OUT_OF_MEMORY;
  const std::uint64_t base = host_->base() + *offset;
  if (!host_->commit(base, host_pages_.round_up(size))) {
    host_pages_.give_back(*offset, size);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  address = host_->view(base);
  journal_.map({.source = static_cast<unsigned>(devices_.size()),
                .offset = *offset,
                .address = base,
                .size = host_pages_.round_up(size)});
  record(
      {.base = base, .size = size, .kind = kind, .owner = &owner, .flags = flags, .view = host_->view(base)});
  return CUDA_SUCCESS;
}

CUresult Memory::register_host(Context& owner, void* address, std::uint64_t size, unsigned flags) {
  const auto base = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t last = base + size - 1;
  if (last < base) return CUDA_ERROR_INVALID_VALUE;
  // Overlap with the first that starts after it, or with the one before.
  auto next = allocations_.lower_bound(base);
  if (next != allocations_.end() && next->first <= last) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (find(base) != nullptr) return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  // The real driver pins the pages and so finds out whether the program may use them so.
  const bool read_only = (flags & CU_MEMHOSTREGISTER_READ_ONLY) != 0;
  const Mapping::Access access = read_only ? Mapping::Access::ReadOnly : Mapping::Access::ReadWrite;
  if (!program_may(base, size, access)) return CUDA_ERROR_INVALID_VALUE;
  record({.base = base,
          .size = size,
          .kind = MemoryKind::RegisteredHost,
          .owner = &owner,
          .flags = flags & ~unsigned{CU_MEMHOSTREGISTER_READ_ONLY},
          .view = static_cast<std::byte*>(address),
          .access = read_only ? CU_MEM_ACCESS_FLAGS_PROT_READ : CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
  try {
    RegisteredMemory::get().add(journal_, base, size, access);
  } catch (const std::bad_alloc&) {
    strike(allocations_.find(base));
    throw;
  }
  return CUDA_SUCCESS;
}

void Memory::borrow(Context& owner, const std::shared_ptr<BorrowedMemory>& memory, CUmemoryPool pool,
                    const std::shared_ptr<PoolUse>& use) {
  Mapping mapping = memory->mapping();
  if (use != nullptr) mapping.pool = use.get(), mapping.guests = use->guests;
  journal_.map(mapping);
  const FileWindow& window = memory->window();
  record({.base = window.address(),
          .size = window.size(),
          .kind = MemoryKind::Device,
          .owner = &owner,
          .view = window.view(),
          .pool = pool,
          .pool_use = use,
          .borrowed = memory});
  if (use != nullptr) use->used += Allocation{.size = window.size()}.units();
}

void Memory::record(Allocation allocation) {
  allocation.buffer_id = next_buffer_id_++;
  const std::uint64_t base = allocation.base;
  of_owners_.emplace(allocation.owner, base);
  allocations_.emplace(base, allocation);
}

void Memory::strike(AssuredMap<std::uint64_t, Allocation>::iterator entry) {
  of_owners_.erase({entry->second.owner, entry->first});
  allocations_.erase(entry);
}

void Memory::free(Allocation& allocation) {
  drop(detach(allocation.base));
}

Allocation Memory::detach(std::uint64_t base) {
  const auto entry = allocations_.find(base);
  Allocation allocation = entry->second;
  strike(entry);
  if (allocation.lent) Ledger::own()->give_back(*std::exchange(allocation.lent, std::nullopt));
  if (allocation.pool_use) allocation.pool_use->used -= allocation.units();
  return allocation;
}

void Memory::drop(const Allocation& allocation) {
  switch (allocation.kind) {
    case MemoryKind::Device:
      if (const auto pool = of_pools_.find(allocation.pool_use.get()); pool != of_pools_.end()) {
        give_back_to_pool(pool, allocation);
      } else if (allocation.borrowed != nullptr) {
        journal_.unmap(allocation.borrowed->mapping().address);
      } else if (allocation.external != nullptr) {
        journal_.unmap(allocation.external->mapping().address);
      } else if (allocation.block != 0) {
        give_back_small(allocation);
      } else {
        give_back_blocks(of(allocation.owner->device()), allocation.base, allocation.size);
      }
      break;
    case MemoryKind::Managed:
    case MemoryKind::PinnedHost:
      journal_.unmap(allocation.base);
      host_->release(allocation.base, host_pages_.round_up(allocation.size));
      host_pages_.give_back(allocation.base - host_->base(), allocation.size);
      break;
    case MemoryKind::RegisteredHost:
      RegisteredMemory::get().remove(journal_, allocation.base);
      break;
    case MemoryKind::Virtual:
      break;
  }
}

void Memory::free_all_of(const Context& owner) {
  for (auto entry = of_owners_.lower_bound({&owner, 0});
       entry != of_owners_.end() && entry->first == &owner;) {
    Allocation& allocation = allocations_.at((entry++)->second);
    const bool of_own_pool = allocation.pool != nullptr && allocation.borrowed == nullptr;
    if (allocation.kind != MemoryKind::Virtual && !of_own_pool) free(allocation);
  }
  for (auto pool = pools_.lower_bound({&owner, nullptr});
       pool != pools_.end() && pool->first.first == &owner;) {
    drop_spare(of(owner.device()), pool->second);
    pool = pool->second.blocks.empty() ? pools_.erase(pool) : std::next(pool);
  }
}

std::vector<const Arena*> Memory::arenas() const {
  std::vector<const Arena*> all;
  all.reserve(devices_.size() + 1);
  for (const DeviceMemory& memory : devices_) all.push_back(memory.arena.get());
  all.push_back(host_.get());
  return all;
}

Allocation* Memory::find(std::uint64_t address) {
  Allocation* const found = find_even_dormant(address);
  return found != nullptr && !found->dormant ? found : nullptr;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> Memory::reservation(std::uint64_t address) const {
  auto after = reserved_.upper_bound(address);
  if (after == reserved_.begin()) return std::nullopt;
  --after;
  if (address - after->first >= after->second) return std::nullopt;
  return *after;
}

std::uint64_t Memory::bytes_of_graphs(const Device& device) const {
  std::uint64_t bytes = 0;
  for (const auto& [base, allocation] : allocations_)
    if (allocation.of_graph && !allocation.dormant && &allocation.owner->device() == &device)
      bytes += allocation.size;
  return bytes;
}

Allocation* Memory::find_even_dormant(std::uint64_t address) {
  auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  Allocation& candidate = std::prev(after)->second;
  return address - candidate.base < candidate.size ? &candidate : nullptr;
}

std::optional<std::uint64_t> Memory::take_physical(const Device& device, std::uint64_t size) {
  DeviceMemory& memory = of(device);
  if (size > available(device)) return std::nullopt;
  drop_spares_of(device);
  return memory.blocks.take(size);
}

void Memory::give_back_physical(const Device& device, std::uint64_t offset, std::uint64_t size) {
  DeviceMemory& memory = of(device);
  memory.arena->release(memory.arena->base() + offset, size);
  memory.blocks.give_back(offset, size);
}

bool Memory::virtual_holds(const Allocation& first, std::uint64_t address, std::uint64_t bytes,
                           bool write) const {
  const std::uint64_t end = address + bytes;
  if (end < address) return false;
  auto mapping = allocations_.find(first.base);
  std::uint64_t reached = first.base;
  while (reached < end) {
    if (mapping == allocations_.end() || mapping->first != reached) return false;
    const Allocation& part = mapping->second;
    if (part.kind != MemoryKind::Virtual || !part.permits(write)) return false;
    // Addresses of two reservations may touch, but not the places where this driver has their bytes.
    if (part.view != first.view + (part.base - first.base)) return false;
    reached += part.size;
    ++mapping;
  }
  return true;
}

bool Memory::reserves(std::uint64_t address) const {
  if (host_->contains(address)) return true;
  const auto after = reserved_.upper_bound(address);
  if (after != reserved_.begin() && address - std::prev(after)->first < std::prev(after)->second) return true;
  return std::any_of(devices_.begin(), devices_.end(),
                     [&](const DeviceMemory& memory) { return memory.arena->contains(address); });
}

}  // namespace driver

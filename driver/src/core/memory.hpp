// SPDX-License-Identifier: MIT
// Every allocation of the process: which addresses are taken, by which context, and where their bytes are.
//
// Device addresses are in a range that the host cannot access; this driver accesses the bytes through the
// arena's view. Pinned and managed memory has one address for both. Guarded by Driver's lock: shared for
// looking up and copying, exclusive for allocating and freeing. Does not depend on entry points.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/advice.hpp"
#include "core/arena.hpp"
#include "core/assured.hpp"
#include "core/context.hpp"
#include "core/journal.hpp"
#include "core/range_allocator.hpp"

namespace driver {

class BorrowedMemory;
class ExternalBuffer;

// Virtual: memory of cuMemCreate at an address of cuMemAddressReserve; it belongs to no context.
enum class MemoryKind { Device, Managed, PinnedHost, RegisteredHost, Virtual };

// How much of a memory pool is in use, and by which devices besides its own it may be used: bits by ordinal.
// Shared with its allocations, which may outlive it.
struct PoolUse {
  std::uint64_t used = 0;
  std::uint64_t used_high = 0;
  std::uint64_t guests = 0;
};

struct Allocation {
  std::uint64_t base = 0;
  std::uint64_t size = 0;  // as asked for: one byte more is out of bounds, as on a real machine
  MemoryKind kind = MemoryKind::Device;
  Context* owner = nullptr;
  unsigned flags = 0;
  std::uint64_t buffer_id = 0;
  bool sync_memops = false;
  std::uint64_t block = 0;  // the block of small allocations that it lies in, or 0
  std::byte* view = nullptr;
  // Virtual memory can be accessed only as cuMemSetAccess allows.
  CUmemAccess_flags access = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CUmemoryPool pool = nullptr;  // where cuMemAllocAsync took it
  std::shared_ptr<PoolUse> pool_use = nullptr;
  bool of_module = false;    // a variable: in the table like an allocation, but cannot be freed
  bool of_graph = false;     // of an allocating node
  bool dormant = false;      // of an allocating node, which has not run, or what it gave was freed
  AdviceByPage advice = {};  // of managed memory
  std::optional<std::uint32_t> lent = std::nullopt;          // its entry in this process's ledger
  std::shared_ptr<BorrowedMemory> borrowed = nullptr;        // another process's
  std::shared_ptr<const ExternalBuffer> external = nullptr;  // of external memory

  // The caller makes sure that base <= address; written so that no sum can overflow.
  bool holds(std::uint64_t address, std::uint64_t bytes) const {
    const std::uint64_t offset = address - base;
    return offset < size && bytes <= size - offset;
  }
  // Whether kernels of a context may access it: memory of their own device, all memory on the host, a peer's
  // memory after cuCtxEnablePeerAccess, and a pool's after cuMemPoolSetAccess. Measured: of a pool the first
  // of these calls does not help (truth peer_pool_kernel_peer_enabled, step 6).
  bool reachable_from(const Context& context) const {
    if (kind != MemoryKind::Device || &owner->device() == &context.device()) return true;
    return pool_use != nullptr ? (pool_use->guests & guest_bit(context.device())) != 0
                               : context.peers.contains(owner);
  }
  // Memory of a device whose pool decides which other devices may use it.
  bool kept_by_pool() const { return pool_use != nullptr && kind == MemoryKind::Device; }
  // Of cuMemAlloc, and of this process.
  bool can_be_lent() const {
    return kind == MemoryKind::Device && pool == nullptr && borrowed == nullptr && external == nullptr &&
           !of_module && !of_graph;
  }
  // Measured: memory of a pool, a graph or cuMemCreate has no context.
  bool has_context() const { return pool == nullptr && !of_graph && kind != MemoryKind::Virtual; }
  bool permits(bool write) const {
    return access == CU_MEM_ACCESS_FLAGS_PROT_READWRITE ||
           (access == CU_MEM_ACCESS_FLAGS_PROT_READ && !write);
  }
  std::uint64_t units() const { return (size + 511) / 512 * 512; }  // what it takes of a pool
  std::byte* bytes_at(std::uint64_t address) const { return view + (address - base); }
};

class Memory {
 public:
  // The unit in which a device's memory is taken, and the alignment inside it: truth memory_errors, steps 10
  // to 13 (the first allocation lies on 2 MiB, the next of 1,000 bytes 1,024 bytes further).
  static constexpr std::uint64_t kBlockSize = 2u << 20;
  static constexpr std::uint64_t kUnitSize = 512;
  // What a pool takes of its device at a time, and gives back as soon as nothing lies in it: truth
  // pool_arguments, step 21, and place_kernel_writes_32760 and 32764.
  static constexpr std::uint64_t kChunkSize = 32u << 20;

  // False if the system has no address space for it.
  bool open(const std::deque<Device>& devices);

  // Where other devices may see it: in blocks that hold no other memory.
  CUresult allocate_device(Context& owner, std::uint64_t size, CUdeviceptr& address,
                           const std::shared_ptr<PoolUse>& guests = nullptr);
  // In chunks of the pool.
  CUresult allocate_in_pool(Context& owner, std::uint64_t size, CUdeviceptr& address,
                            const std::shared_ptr<PoolUse>& pool);
  // Whether a pool has given back some of these bytes, and nothing has taken them since. Needs no lock.
  bool is_given_back(std::uint64_t address, std::uint64_t bytes) const;
  CUresult allocate_host(Context& owner, MemoryKind kind, std::uint64_t size, unsigned flags, void*& address);
  CUresult register_host(Context& owner, void* address, std::uint64_t size, unsigned flags);
  // Of an imported pool, which counts it, or of none.
  void borrow(Context& owner, const std::shared_ptr<BorrowedMemory>& memory, CUmemoryPool pool = nullptr,
              const std::shared_ptr<PoolUse>& use = nullptr);
  void free(Allocation& allocation);
  // All but the memory of pools, which outlives the context in whose stream it was allocated.
  void free_all_of(const Context& owner);

  // Removes an allocation from the table without freeing its memory: for a freed one that unfinished work may
  // still use. drop() frees the memory, attach() makes it an allocation again.
  Allocation detach(std::uint64_t base);
  void attach(Allocation allocation) { record(std::move(allocation)); }
  void drop(const Allocation& allocation);
  // Gives back the empty blocks that are kept for the next small allocations.
  void drop_spares_of(const Device& device);

  // For virtual memory: whole blocks of a device without an address, as offsets into its file; addresses that
  // are reserved; and the mappings, which are allocations.
  std::optional<std::uint64_t> take_physical(const Device& device, std::uint64_t size);
  void give_back_physical(const Device& device, std::uint64_t offset, std::uint64_t size);
  const Arena& arena(const Device& device) const { return *of(device).arena; }
  void reserve(std::uint64_t base, std::uint64_t size) { reserved_.emplace(base, size); }
  void unreserve(std::uint64_t base) { reserved_.erase(base); }
  // The reserved addresses, as base and size, that an address lies in; nothing where there are none.
  std::optional<std::pair<std::uint64_t, std::uint64_t>> reservation(std::uint64_t address) const;
  // Whether virtual memory beginning in `first` holds a range, over the borders of mappings too.
  bool virtual_holds(const Allocation& first, std::uint64_t address, std::uint64_t bytes, bool write) const;

  // The allocation that an address lies in, or null.
  Allocation* find(std::uint64_t address);
  // The same, of a graph's memory also while it is dormant.
  Allocation* find_even_dormant(std::uint64_t address);
  // Bytes that graphs have allocated on a device and that are not freed.
  std::uint64_t bytes_of_graphs(const Device& device) const;
  // Whether the address is in a range of this driver, allocated or not. Accessing it in another way would
  // crash.
  bool reserves(std::uint64_t address) const;

  // What the processes that run kernels have to map.
  Journal& journal() { return journal_; }
  // The memory files, by the number that a Mapping calls them by: one for each device, then the host's.
  std::vector<const Arena*> arenas() const;

  // A device's memory, less where the address space is limited.
  std::uint64_t capacity(const Device& device) const;
  std::uint64_t available(const Device& device) const;

 private:
  struct DeviceMemory {
    std::unique_ptr<Arena> arena;
    RangeAllocator blocks{0, kBlockSize};
    std::uint64_t spare = 0;                    // bytes of blocks that are kept though nothing lies in them
    std::vector<std::atomic<bool>> given_back;  // by block: a pool had it, and nobody has it now
  };
  // Small allocations of one context share blocks, so that one of 1 KiB costs no system call; those of a pool
  // share none with others, because other devices may see them.
  using Sharing = std::pair<const Context*, const PoolUse*>;
  struct SmallPool {
    AssuredMap<std::uint64_t, RangeAllocator> blocks;
    std::uint64_t spare_block = 0;
    std::shared_ptr<PoolUse> pool;  // lives as long as it is a key here
  };

  // What a pool has of its device, for all contexts: offsets in the arena. A chunk may be smaller than others
  // where the device is nearly full.
  struct PoolMemory {
    AssuredMap<std::uint64_t, std::uint64_t> chunks;
    RangeAllocator units{0, kUnitSize};
    std::shared_ptr<PoolUse> pool;  // lives as long as it is a key here
  };

  bool has_room(const Device& device, std::uint64_t size) const;
  bool open_blocks(const Sharing& sharing, std::uint64_t offset, std::uint64_t size);
  CUresult allocate(Context& owner, std::uint64_t size, CUdeviceptr& address,
                    const std::function<std::uint64_t(std::uint64_t& block)>& take);
  bool grow(PoolMemory& pool, const Context& user, std::uint64_t size);
  void give_back_to_pool(AssuredMap<const PoolUse*, PoolMemory>::iterator entry,
                         const Allocation& allocation);
  std::uint64_t take_blocks(const Sharing& sharing, std::uint64_t size);
  void give_back_blocks(DeviceMemory& memory, std::uint64_t address, std::uint64_t size);
  void drop_spare(DeviceMemory& memory, SmallPool& pool);
  std::uint64_t take_small(const Context& owner, const std::shared_ptr<PoolUse>& use, std::uint64_t size,
                           std::uint64_t& block);
  void give_back_small(const Allocation& allocation);
  void record(Allocation allocation);
  void strike(AssuredMap<std::uint64_t, Allocation>::iterator entry);
  DeviceMemory& of(const Device& device) { return devices_[static_cast<std::size_t>(device.ordinal())]; }
  const DeviceMemory& of(const Device& device) const {
    return devices_[static_cast<std::size_t>(device.ordinal())];
  }

  std::vector<DeviceMemory> devices_;
  std::unique_ptr<Arena> host_;
  RangeAllocator host_pages_{0, 4096};
  AssuredMap<std::uint64_t, Allocation> allocations_;
  AssuredSet<std::pair<const Context*, std::uint64_t>> of_owners_;  // the bases of each context's
  AssuredMap<Sharing, SmallPool> pools_;
  AssuredMap<const PoolUse*, PoolMemory> of_pools_;
  AssuredMap<std::uint64_t, std::uint64_t> reserved_;  // of virtual memory: base -> size
  std::uint64_t next_buffer_id_ = 1;
  Journal journal_;
};

}  // namespace driver

// SPDX-License-Identifier: MIT
// Memory pools: where stream-ordered allocations come from and go back to.
//
// An allocation exists when its call returns. A freed one is removed from the table of allocations at once,
// so that freeing it again or copying from it is an error. Its memory is used again for an allocation of that
// size: in the same stream, in one that waits for the free by an event, or when the work that was enqueued
// before the free has ended. What the pool has beyond its threshold goes back to the device when the program
// waits for a stream, an event or a context. Guarded by Driver's lock, exclusive. Does not depend on entry
// points.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <vector>

#include "core/device.hpp"
#include "core/ledger.hpp"
#include "core/memory.hpp"
#include "core/stream.hpp"

namespace driver {

// The memory of a pool: its device's, pinned memory of the host, or managed memory.
enum class PoolKind { Device, Host, Managed };

class Pool {
 public:
  Pool(Device& home, std::uint64_t most, PoolKind gives = PoolKind::Device)
      : device(home), kind(gives), max_size(most) {}

  CUmemoryPool handle() { return reinterpret_cast<CUmemoryPool>(this); }
  // In a stream of `user`, which may be of another device.
  CUresult allocate(Context& user, Queue& queue, std::uint64_t size, CUdeviceptr& address);
  // The allocation's memory is kept until `moment`, or for no time when that is null. The queue may use
  // it before, too; without one (a graph's memory) the pool at once returns what is beyond its threshold.
  void take_back(const Allocation& allocation, CompletionPointer moment, const Queue* queue = nullptr,
                 std::uint64_t number = 0);
  // The memory is not kept for work that has not ended. What is within the threshold stays in the pool, and
  // the pool uses it again after `moment`.
  void take_back_at_once(const Allocation& allocation, CompletionPointer moment);
  // Returns free memory to the device, down to `keep` bytes of the pool.
  void trim(std::uint64_t keep);
  std::uint64_t reserved() const;
  void inherit(Pool& other);
  // The program has waited. False if some work before a free is still left.
  bool release_after_waiting();
  // A context ends: freed memory that was allocated there is returned, unless work of another one may still
  // use it.
  void forget(const Context& owner);

  Device& device;  // of a pool that is no device's: the first
  const PoolKind kind;
  const std::uint64_t max_size;  // 0: as much as there is
  // How it may be given to other processes, and whether it is of another one: then it only holds what is
  // imported, and nothing can be allocated from it.
  CUmemAllocationHandleType shared_by = CU_MEM_HANDLE_TYPE_NONE;
  std::optional<Token> imported;
  std::optional<std::uint32_t> lent;  // its entry in this process's ledger
  std::uint64_t threshold = 0;        // what trimming at synchronisation leaves
  std::uint64_t reserved_high = 0;
  // One of the three attributes CU_MEMPOOL_ATTR_REUSE_.
  int& reuse_by(CUmemPool_attribute attribute) { return reuse_[place_of(attribute)]; }
  int reuse_by(CUmemPool_attribute attribute) const { return reuse_[place_of(attribute)]; }
  std::map<int, CUmemAccess_flags> access;  // by device, of pools that are no device's
  const std::shared_ptr<PoolUse> use = std::make_shared<PoolUse>();

 private:
  static std::size_t place_of(CUmemPool_attribute attribute) {
    return static_cast<std::size_t>(attribute - CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES);
  }
  MemoryKind memory_kind() const;
  CUresult take_fresh(Context& context, std::uint64_t size, CUdeviceptr& address) const;

  struct Freed {
    Allocation allocation;
    CompletionPointer moment;  // null: over
    const Queue* queue;        // null: no queue may use it before that
    std::uint64_t number;
    bool waited_for = false;  // the program has waited since the moment was over
    bool over() const { return moment == nullptr || moment->over(); }
  };

  void drop_freed(std::uint64_t keep);
  bool may_use(const Queue& queue, const Freed& freed) const;
  void note_high();

  std::array<int, 3> reuse_{1, 1, 1};
  AssuredList<Freed> freed_;
  std::uint64_t freed_bytes_ = 0;
  std::uint64_t kept_reserved_ = 0;  // what a real pool would have kept where this one dropped other sizes
};

// The place and the kind of a pool's memory: the arguments of cuMemGetMemPool and similar calls.
struct PoolPlace {
  Device* device = nullptr;
  PoolKind kind = PoolKind::Device;
  CUmemLocationType location = CU_MEM_LOCATION_TYPE_DEVICE;
};

// Every live pool, and which one each device uses.
class Pools {
 public:
  static Pools& get();

  // Null for a handle that is none.
  Pool* find(CUmemoryPool handle) const;
  // Null for a pool that was not imported yet.
  Pool* imported_by(const Token& token) const;
  Pool& default_of(const Device& device);
  Pool& current_of(const Device& device);
  void set_current(const Device& device, Pool& pool);
  // The same for places that belong to no device, whose pools are made when they are first needed.
  Pool& default_at(const PoolPlace& place);
  Pool& current_at(const PoolPlace& place);
  void set_current_at(const PoolPlace& place, Pool& pool);
  bool is_default(const Pool& pool) const;
  Pool& create(Device& device, std::uint64_t max_size, PoolKind kind = PoolKind::Device);
  // Allocations of it go on living.
  void destroy(Pool& pool);
  void forget(const Context& owner);
  // After each wait of the program. No lock may be held; it takes none while no pool has freed memory.
  static void release_after_waiting();
  static void expect_release() { something_to_release_.store(true, std::memory_order_release); }
  // Frees are numbered in the order of their calls.
  std::uint64_t next_free_number() { return ++frees_; }
  // The pool of an allocation; null for memory of none, and if the pool was destroyed.
  Pool* of(const Allocation& allocation) const { return find(allocation.pool); }
  // The pool to which an allocation is freed: without one of its own, the default pool of its device.
  Pool& taking_back(const Allocation& allocation);

 private:
  Pools();

  struct Elsewhere {
    Pool* usual = nullptr;
    Pool* current = nullptr;
  };
  Elsewhere& at(const PoolPlace& place);

  static inline std::atomic<bool> something_to_release_{false};
  std::vector<std::unique_ptr<Pool>> pools_;  // the devices' default ones first
  std::vector<Pool*> current_;
  std::uint64_t frees_ = 0;
  std::map<std::tuple<CUmemLocationType, int, PoolKind>, Elsewhere> elsewhere_;
};

}  // namespace driver

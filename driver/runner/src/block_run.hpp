// SPDX-License-Identifier: MIT
// Runs a block of a kernel whose threads wait for each other, region by region.
//
// Threads run in groups, the whole block or a warp. As long as all threads of a group are at the same place,
// they run in one call. If they are at different places, there is one call for each place, until they are
// together again. The blocks of a cluster run in turn, so that they can wait for each other. Does not depend
// on queues.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "kernel_abi/kernel_abi.hpp"
#include "ptx/module.hpp"

namespace runner {

// A kernel that was cut at its stops, ready to be called.
struct RegionKernel {
  KernelDescription description;
  std::vector<Region> regions;
  std::vector<ptx::Instruction> instructions;  // of each stop
  // For each stop: for a shuffle by a constant, from which lane each lane of a whole warp reads, and which
  // lanes read from one in their segment.
  std::vector<std::array<std::uint8_t, 32>> sources;
  std::vector<std::uint32_t> inside;
  std::vector<bool> has_sources;
  bool meets_in_cluster = false;  // it has barriers of clusters

  // Fills in what follows from the description.
  void prepare();
};

class BlockRun {
 public:
  explicit BlockRun(const RegionKernel& kernel) : kernel_(kernel) {}

  // Runs the block `block.index` to its end, without a cluster. Threads that wait for something that never
  // happens end the process.
  void run(Block& block);
  // The same for the blocks of a cluster, one of each run.
  static void run_cluster(std::span<BlockRun> runs, std::span<Block> blocks);
  void arrive(std::uint32_t barrier) { ++arrived_[barrier]; }

 private:
  enum class Is : std::uint8_t { Ready, Stopped, Ended };
  enum class Progress : std::uint8_t { Moved, Stuck, Ended };

  struct Group {
    std::uint32_t first = 0, count = 0;
    bool together = true;
    Is is = Is::Ready;     // of all, while they are together
    std::uint32_t at = 0;  // a region when ready, a stop when stopped
  };

  void begin(Block& block);
  // Every group once. Stuck: each thread waits.
  Progress round();
  static bool release_cluster_barrier(std::span<BlockRun> runs);
  bool waits_for_cluster() const;
  bool all_have_arrived() const;
  void release_from_cluster();
  bool pass_cluster_barrier(StopKind kind, std::uint32_t first, std::uint32_t count);
  bool advance(Group& group);
  bool advance_together(Group& group);
  bool advance_apart(Group& group);
  void run_run(std::uint32_t first, std::uint32_t count, std::uint32_t region);
  void part(Group& group);
  void stop_where_reached(std::uint32_t thread);
  void meet_again(Group& group);

  // Operations of a warp: of all its threads at once, or of those that have arrived.
  void shuffle(const Group& group, const Stop& stop, const ptx::Instruction& in) const;
  void shuffle_by_number(const Group& group, std::uint32_t stop) const;
  bool finish_warp(const Group& group, const Stop& stop, const ptx::Instruction& in);
  bool finish_some(const Group& group);
  bool is_complete(const Group& group, std::uint32_t leader, std::vector<std::uint32_t>& members) const;
  void finish_members(const std::vector<std::uint32_t>& members);

  bool release_barriers();
  bool release_all_at_one();
  void release(const std::vector<std::uint32_t>& threads);

  std::uint64_t value(const StopValue& from, std::uint32_t thread, bool wide = false) const;
  std::uint32_t* words(std::uint64_t array) const;
  std::uint32_t mask_of(std::uint32_t thread) const;

  const RegionKernel& kernel_;
  Block* block_ = nullptr;
  std::uint32_t threads_ = 0;
  std::vector<Group> groups_;
  std::vector<Is> is_;             // of threads whose group is apart
  std::vector<std::uint32_t> at_;  // the same
  std::vector<std::uint16_t> reached_;
  std::vector<std::uint32_t>
      rested_;  // the same: how often it has waited for memory since its last other stop
  std::map<std::uint32_t, std::uint64_t> arrived_;  // by barrier: threads that did not wait
  bool rests_ = false;                              // a thread waits for memory
  std::vector<bool>
      at_cluster_;  // by thread: has arrived at a barrier of the cluster that is not complete yet
};

// For compiled code, through the runtime.
void arrive_at_barrier(const Block& block, std::uint32_t barrier);
bool is_local_address(const Block& block, std::uint64_t address);

}  // namespace runner

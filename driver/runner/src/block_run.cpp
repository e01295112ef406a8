// SPDX-License-Identifier: MIT
// See block_run.hpp: which threads of a block run next, and when threads that wait at a barrier may go on.
// What a warp computes together is in block_warp.cpp.
#include "block_run.hpp"

#include <sched.h>

#include <algorithm>

#include "process.hpp"

namespace runner {

void BlockRun::begin(Block& block) {
  block_ = &block;
  block.engine = this;
  threads_ = block.block[0] * block.block[1] * block.block[2];
  groups_.clear();
  const std::uint32_t size = kernel_.description.by_warps != 0 ? 32 : threads_;
  for (std::uint32_t first = 0; first < threads_; first += size) {
    Group group;
    group.first = first;
    group.count = std::min(size, threads_ - first);
    groups_.push_back(group);
  }
  reached_.resize(threads_);
  is_.resize(threads_);
  at_.resize(threads_);
  rested_.assign(threads_, 0);
  arrived_.clear();
  if (kernel_.meets_in_cluster) at_cluster_.assign(threads_, false);
}

void BlockRun::run(Block& block) {
  begin(block);
  for (;;) {
    const Progress progress = round();
    if (progress == Progress::Ended) return;
    if (release_cluster_barrier({this, 1}) || progress == Progress::Moved) continue;
    end_with(Outcome::LaunchFailed);  // threads wait for others that never come
  }
}

void BlockRun::run_cluster(std::span<BlockRun> runs, std::span<Block> blocks) {
  for (std::size_t rank = 0; rank < runs.size(); ++rank) runs[rank].begin(blocks[rank]);
  for (;;) {
    bool ended = true, moved = false;
    for (BlockRun& run : runs) {
      const Progress progress = run.round();
      ended = ended && progress == Progress::Ended;
      moved = moved || progress == Progress::Moved;
    }
    if (ended) return;
    if (!release_cluster_barrier(runs) && !moved) end_with(Outcome::LaunchFailed);
  }
}

BlockRun::Progress BlockRun::round() {
  bool moved = false;
  rests_ = false;
  for (Group& group : groups_) moved = advance(group) || moved;
  const auto has_ended = [](const Group& group) { return group.together && group.is == Is::Ended; };
  if (std::all_of(groups_.begin(), groups_.end(), has_ended)) return Progress::Ended;
  if (release_barriers()) return Progress::Moved;
  if (rests_) sched_yield();  // what they wait for may be another block's
  return moved ? Progress::Moved : Progress::Stuck;
}

bool BlockRun::waits_for_cluster() const {
  const auto waits = [&](Is is, std::uint32_t at) {
    return is == Is::Stopped && kernel_.description.stops[at].kind == StopKind::ClusterWait;
  };
  return std::any_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    if (group.together) return waits(group.is, group.at);
    for (std::uint32_t i = group.first; i < group.first + group.count; ++i)
      if (waits(is_[i], at_[i])) return true;
    return false;
  });
}

// A thread that has ended counts as one that has arrived.
bool BlockRun::all_have_arrived() const {
  return std::all_of(groups_.begin(), groups_.end(), [&](const Group& group) {
    for (std::uint32_t i = group.first; i < group.first + group.count; ++i)
      if ((group.together ? group.is : is_[i]) != Is::Ended && !at_cluster_[i]) return false;
    return true;
  });
}

void BlockRun::release_from_cluster() {
  at_cluster_.assign(threads_, false);
  for (Group& group : groups_) {
    if (group.together) {
      const bool waits =
          group.is == Is::Stopped && kernel_.description.stops[group.at].kind == StopKind::ClusterWait;
      if (!waits) continue;
      group.is = Is::Ready;
      group.at = kernel_.description.stops[group.at].region;
      continue;
    }
    for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
      if (is_[i] != Is::Stopped || kernel_.description.stops[at_[i]].kind != StopKind::ClusterWait) continue;
      is_[i] = Is::Ready;
      at_[i] = kernel_.description.stops[at_[i]].region;
    }
    meet_again(group);
  }
}

// When somebody waits and all threads of the cluster have arrived, the barrier is complete, also for those
// that have not come to wait yet.
bool BlockRun::release_cluster_barrier(std::span<BlockRun> runs) {
  if (!runs.front().kernel_.meets_in_cluster) return false;
  const auto waits = [](const BlockRun& run) { return run.waits_for_cluster(); };
  if (std::none_of(runs.begin(), runs.end(), waits)) return false;
  const auto complete = [](const BlockRun& run) { return run.all_have_arrived(); };
  if (!std::all_of(runs.begin(), runs.end(), complete)) return false;
  for (BlockRun& run : runs) run.release_from_cluster();
  return true;
}

// Whether threads that have come to a barrier of the cluster go on: whoever arrives does, and so does who
// waits but has not arrived, or has arrived at a barrier that is complete by now.
bool BlockRun::pass_cluster_barrier(StopKind kind, std::uint32_t first, std::uint32_t count) {
  const auto begin = at_cluster_.begin() + first, end = begin + count;
  if (kind == StopKind::ClusterWait) return std::find(begin, end, true) == end;
  std::fill(begin, end, true);
  return true;
}

void BlockRun::run_run(std::uint32_t first, std::uint32_t count, std::uint32_t region) {
  const std::uint32_t only = kernel_.regions[region](block_, first, count, reached_.data());
  if (only != kMoreThanOne) std::fill_n(reached_.begin() + first, count, static_cast<std::uint16_t>(only));
}

bool BlockRun::advance(Group& group) {
  return group.together ? advance_together(group) : advance_apart(group);
}

bool BlockRun::advance_together(Group& group) {
  bool moved = false;
  while (group.is == Is::Ready) {
    moved = true;
    std::uint32_t reached = kernel_.regions[group.at](block_, group.first, group.count, reached_.data());
    if (reached == kMoreThanOne) {
      const auto begin = reached_.begin() + group.first, end = begin + group.count;
      reached = *begin;
      if (std::any_of(begin, end, [&](std::uint16_t each) { return each != reached; })) {
        part(group);
        return true;
      }
    }
    if (reached == kThreadEnded) {
      group.is = Is::Ended;
      return true;
    }
    const Stop& stop = kernel_.description.stops[reached];
    group.at = reached;
    group.is = Is::Stopped;
    if (stop.kind == StopKind::Yield) {
      group.is = Is::Ready;
      group.at = stop.region;
      rests_ = true;
      return true;
    }
    if (stop.kind == StopKind::ClusterArrive || stop.kind == StopKind::ClusterWait) {
      if (!pass_cluster_barrier(stop.kind, group.first, group.count)) return true;
      group.is = Is::Ready;
      group.at = stop.region;
      continue;
    }
    if (stop.kind != StopKind::Warp) return true;
    if (!finish_warp(group, stop, kernel_.instructions[reached])) {
      group.together = false;
      for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
        is_[i] = Is::Stopped;
        at_[i] = reached;
      }
      return true;
    }
    group.is = Is::Ready;
    group.at = stop.region;
  }
  return moved;
}

void BlockRun::stop_where_reached(std::uint32_t thread) {
  is_[thread] = reached_[thread] == kThreadEnded ? Is::Ended : Is::Stopped;
  at_[thread] = reached_[thread];
  if (is_[thread] == Is::Stopped) {
    const Stop& stop = kernel_.description.stops[at_[thread]];
    const bool of_cluster = stop.kind == StopKind::ClusterArrive || stop.kind == StopKind::ClusterWait;
    if (of_cluster && pass_cluster_barrier(stop.kind, thread, 1)) {
      is_[thread] = Is::Ready;
      at_[thread] = stop.region;
      rested_[thread] = 0;
      return;
    }
  }
  const bool rests =
      is_[thread] == Is::Stopped && kernel_.description.stops[at_[thread]].kind == StopKind::Yield;
  rested_[thread] = rests ? rested_[thread] + 1 : 0;
  if (!rests) return;
  is_[thread] = Is::Ready;
  at_[thread] = kernel_.description.stops[at_[thread]].region;
  rests_ = true;
}

// After a region whose threads came to different places.
void BlockRun::part(Group& group) {
  group.together = false;
  for (std::uint32_t i = group.first; i < group.first + group.count; ++i) stop_where_reached(i);
}

void BlockRun::meet_again(Group& group) {
  const std::uint32_t end = group.first + group.count;
  for (std::uint32_t i = group.first + 1; i < end; ++i) {
    const bool same = is_[i] == is_[group.first] && (is_[i] == Is::Ended || at_[i] == at_[group.first]);
    if (!same) return;
  }
  group.together = true;
  group.is = is_[group.first];
  group.at = at_[group.first];
}

bool BlockRun::advance_apart(Group& group) {
  bool moved = false;
  const std::uint32_t end = group.first + group.count;
  for (std::uint32_t first = group.first; first < end;) {
    if (is_[first] != Is::Ready) {
      ++first;
      continue;
    }
    std::uint32_t last = first + 1;
    while (last < end && is_[last] == Is::Ready && at_[last] == at_[first]) ++last;
    run_run(first, last - first, at_[first]);
    moved = true;
    for (std::uint32_t i = first; i < last; ++i) stop_where_reached(i);
    first = last;
  }
  while (finish_some(group)) moved = true;
  meet_again(group);
  return moved;
}

std::uint32_t* BlockRun::words(std::uint64_t array) const {
  return reinterpret_cast<std::uint32_t*>(block_->saved + array);
}

std::uint64_t BlockRun::value(const StopValue& from, std::uint32_t thread, bool wide) const {
  if (from.array == kNoArray) return from.constant;
  if (wide) return reinterpret_cast<const std::uint64_t*>(block_->saved + from.array)[thread];
  return words(from.array)[thread];
}

// The usual case: every group waits at the same barrier of all threads, or has ended.
bool BlockRun::release_all_at_one() {
  const Stop* barrier = nullptr;
  for (const Group& group : groups_) {
    if (!group.together || group.is == Is::Ready) return false;
    if (group.is == Is::Ended) continue;
    const Stop& stop = kernel_.description.stops[group.at];
    if (stop.kind != StopKind::Barrier || stop.a.array != kNoArray || stop.b.array != kNoArray ||
        stop.b.constant != 0)
      return false;
    if (barrier != nullptr && barrier->a.constant != stop.a.constant) return false;
    barrier = &stop;
  }
  if (barrier == nullptr || !arrived_.empty()) return false;
  for (Group& group : groups_) {
    if (group.is == Is::Ended) continue;
    group.is = Is::Ready;
    group.at = kernel_.description.stops[group.at].region;
  }
  return true;
}

// Releases barriers at which as many threads have arrived as expected, or all that are left.
bool BlockRun::release_barriers() {
  if (release_all_at_one()) return true;
  for (Group& group : groups_)
    if (group.together)
      for (std::uint32_t i = group.first; i < group.first + group.count; ++i) {
        is_[i] = group.is;
        at_[i] = group.at;
      }
  std::map<std::uint64_t, std::vector<std::uint32_t>> waiting;
  std::uint64_t alive = 0;
  for (std::uint32_t i = 0; i < threads_; ++i) {
    alive += is_[i] == Is::Ended ? 0 : 1;
    if (is_[i] != Is::Stopped) continue;
    const Stop& stop = kernel_.description.stops[at_[i]];
    if (stop.kind == StopKind::Barrier || stop.kind == StopKind::BarrierReduction)
      waiting[value(stop.a, i)].push_back(i);
  }
  bool released = false;
  for (const auto& [barrier, threads] : waiting) {
    const std::uint64_t asked = value(kernel_.description.stops[at_[threads[0]]].b, threads[0]);
    std::uint64_t& before = arrived_[static_cast<std::uint32_t>(barrier)];
    if (threads.size() + before < (asked != 0 ? asked : alive)) continue;
    before = 0;
    release(threads);
    released = true;
  }
  if (released)
    for (Group& group : groups_) {
      group.together = false;
      meet_again(group);
    }
  return released;
}

void BlockRun::release(const std::vector<std::uint32_t>& threads) {
  std::uint64_t voted = 0;
  for (const std::uint32_t thread : threads) {
    const Stop& stop = kernel_.description.stops[at_[thread]];
    if (stop.kind == StopKind::BarrierReduction) voted += value(stop.c, thread) & 1;
  }
  for (const std::uint32_t thread : threads) {
    const Stop& stop = kernel_.description.stops[at_[thread]];
    if (stop.kind == StopKind::BarrierReduction) {
      const ptx::Reduction how = kernel_.instructions[at_[thread]].reduction;
      words(stop.result)[thread] =
          static_cast<std::uint32_t>(how == ptx::Reduction::Count ? voted
                                     : how == ptx::Reduction::And ? (voted == threads.size() ? 1 : 0)
                                                                  : (voted != 0 ? 1 : 0));
    }
    is_[thread] = Is::Ready;
    at_[thread] = stop.region;
  }
}

void arrive_at_barrier(const Block& block, std::uint32_t barrier) {
  if (block.engine != nullptr) static_cast<BlockRun*>(block.engine)->arrive(barrier);
}

}  // namespace runner

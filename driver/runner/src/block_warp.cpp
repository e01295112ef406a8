// SPDX-License-Identifier: MIT
// Part of BlockRun (block_run.hpp): what the threads of a warp compute together (shuffles, votes), once all
// that take part have arrived.
#include <algorithm>

#include "block_run.hpp"
#include "kernel_abi/packed_instruction.hpp"
#include "ptx/warp.hpp"

namespace runner {
namespace {

using ptx::Opcode;

constexpr std::uint32_t kRestsOfWhoComes = 64;

// Where a lane takes from, and whether that lies in its segment; c holds the clamp in its low five bits and
// the mask of segments above.
std::uint32_t source_of(ptx::Shuffle how, std::int32_t lane, std::uint64_t b_value, std::uint64_t c,
                        bool& inside) {
  const auto b = static_cast<std::int32_t>(b_value & 31);
  const auto clamp = static_cast<std::int32_t>(c & 31), segments = static_cast<std::int32_t>((c >> 8) & 31);
  const std::int32_t most = (lane & segments) | (clamp & ~segments), least = lane & segments;
  std::int32_t from = lane;
  switch (how) {
    case ptx::Shuffle::Up:
      from = lane - b;
      inside = from >= most;
      break;
    case ptx::Shuffle::Down:
      from = lane + b;
      inside = from <= most;
      break;
    case ptx::Shuffle::Butterfly:
      from = lane ^ b;
      inside = from <= most;
      break;
    case ptx::Shuffle::Index:
      from = least | (b & ~segments);
      inside = from <= most;
      break;
  }
  return static_cast<std::uint32_t>(inside ? from : lane);
}

std::uint32_t full_mask(std::uint32_t count) {
  return count >= 32 ? 0xffffffffU : (std::uint32_t{1} << count) - 1;
}

}  // namespace

std::uint32_t BlockRun::mask_of(std::uint32_t thread) const {
  return static_cast<std::uint32_t>(value(kernel_.description.stops[at_[thread]].mask, thread));
}

// False when not all that are named are here, or the operation is a rare one.
bool BlockRun::finish_warp(const Group& group, const Stop& stop, const ptx::Instruction& in) {
  const std::uint32_t live = full_mask(group.count), first = group.first, count = group.count;
  if (in.warp_mask && in.opcode != Opcode::Activemask) {
    if (stop.mask.array == kNoArray) {
      if ((stop.mask.constant & live) != live) return false;
    } else {
      const std::uint32_t* const masks = words(stop.mask.array) + first;
      if (std::any_of(masks, masks + count,
                      [&](std::uint32_t mask) { return (mask & live) != live || mask != masks[0]; }))
        return false;
    }
  }
  if (in.opcode == Opcode::BarWarp) return true;
  std::uint32_t* const results = words(stop.result) + first;
  switch (in.opcode) {
    case Opcode::Activemask:
      std::fill_n(results, count, live);
      return true;
    case Opcode::Vote: {
      std::uint32_t ballot = 0;
      for (std::uint32_t lane = 0; lane < count; ++lane)
        ballot |= static_cast<std::uint32_t>(value(stop.a, first + lane) & 1) << lane;
      const bool all = ballot == live, any = ballot != 0;
      const std::uint32_t answers[] = {all ? 1U : 0U, any ? 1U : 0U, all || !any ? 1U : 0U, ballot};
      std::fill_n(results, count, answers[static_cast<unsigned>(in.vote)]);
      return true;
    }
    case Opcode::Shfl: {
      if (stop.a.array == kNoArray) return false;
      const auto number = static_cast<std::uint32_t>(&stop - kernel_.description.stops.data());
      if (kernel_.has_sources[number] && count == 32)
        shuffle_by_number(group, number);
      else
        shuffle(group, stop, in);
      return true;
    }
    default: {
      std::vector<std::uint32_t> members(count);
      for (std::uint32_t i = 0; i < count; ++i) {
        members[i] = first + i;
        at_[first + i] = static_cast<std::uint32_t>(&stop - kernel_.description.stops.data());
      }
      finish_members(members);
      return true;
    }
  }
}

void BlockRun::shuffle(const Group& group, const Stop& stop, const ptx::Instruction& in) const {
  const std::uint32_t* const values = words(stop.a.array) + group.first;
  std::uint32_t* const results = words(stop.result) + group.first;
  for (std::uint32_t lane = 0; lane < group.count; ++lane) {
    const std::uint32_t thread = group.first + lane;
    bool inside = false;
    const std::uint32_t from = source_of(in.shuffle, static_cast<std::int32_t>(lane), value(stop.b, thread),
                                         value(stop.c, thread), inside);
    // A lane that is not there gives nothing that is defined; its own value is as good as any.
    results[lane] = values[from < group.count ? from : lane];
    if (stop.predicate != kNoArray) block_->saved[stop.predicate + thread] = std::byte{inside};
  }
}

void BlockRun::shuffle_by_number(const Group& group, std::uint32_t number) const {
  const Stop& stop = kernel_.description.stops[number];
  const std::uint32_t* const values = words(stop.a.array) + group.first;
  std::uint32_t* const results = words(stop.result) + group.first;
  const std::array<std::uint8_t, 32>& sources = kernel_.sources[number];
  for (std::uint32_t lane = 0; lane < 32; ++lane) results[lane] = values[sources[lane]];
  if (stop.predicate == kNoArray) return;
  const std::uint32_t inside = kernel_.inside[number];
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    block_->saved[stop.predicate + group.first + lane] = static_cast<std::byte>((inside >> lane) & 1);
}

void RegionKernel::prepare() {
  const std::size_t count = description.stops.size();
  sources.resize(count);
  inside.resize(count);
  has_sources.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Stop& stop = description.stops[i];
    meets_in_cluster =
        meets_in_cluster || stop.kind == StopKind::ClusterArrive || stop.kind == StopKind::ClusterWait;
    instructions.push_back(unpack(stop.packed));
    has_sources[i] =
        instructions[i].opcode == Opcode::Shfl && stop.b.array == kNoArray && stop.c.array == kNoArray;
    for (std::uint32_t lane = 0; has_sources[i] && lane < 32; ++lane) {
      bool is_inside = false;
      const std::uint32_t from = source_of(instructions[i].shuffle, static_cast<std::int32_t>(lane),
                                           stop.b.constant, stop.c.constant, is_inside);
      sources[i][lane] = static_cast<std::uint8_t>(from & 31);
      inside[i] |= static_cast<std::uint32_t>(is_inside) << lane;
    }
  }
}

bool BlockRun::is_complete(const Group& group, std::uint32_t leader,
                           std::vector<std::uint32_t>& members) const {
  const ptx::Instruction& in = kernel_.instructions[at_[leader]];
  const bool masked = in.opcode != Opcode::Activemask && in.warp_mask;
  const std::uint32_t end = group.first + group.count, mask = mask_of(leader);
  // At a meeting for volatile stores (ptx/src/warp_speech.cpp): a thread that has waited for memory so often
  // may wait for a thread that would wait for it here, and a thread at an earlier meeting may still come.
  const bool meeting = in.opcode == Opcode::BarWarp && !masked;
  const std::uint32_t most_rests = meeting ? kRestsOfWhoComes : UINT32_MAX;
  bool somebody_runs = false, complete = true;
  members.clear();
  for (std::uint32_t i = group.first; i < end; ++i) {
    if (is_[i] == Is::Ended) continue;
    somebody_runs = somebody_runs || (is_[i] == Is::Ready && rested_[i] < most_rests);
    const bool named = !masked || ((mask >> (i - group.first)) & 1) != 0;
    const bool waits = is_[i] == Is::Stopped && kernel_.description.stops[at_[i]].kind == StopKind::Warp;
    const ptx::Instruction* const its = waits ? &kernel_.instructions[at_[i]] : nullptr;
    const bool alike = waits && its->opcode == in.opcode && its->warp_mask == in.warp_mask;
    const bool here = alike && mask_of(i) == mask && (masked || at_[i] == at_[leader]);
    if (meeting && alike && at_[i] < at_[leader]) complete = false;
    if (here && named)
      members.push_back(i);
    else if (masked && named)
      complete = false;
  }
  // Without a mask, the threads take part that have arrived when no other can arrive any more.
  return complete && !members.empty() && (masked || !somebody_runs);
}

// One set of threads that have all come computes and goes on.
bool BlockRun::finish_some(const Group& group) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t leader = group.first; leader < group.first + group.count; ++leader) {
    if (is_[leader] != Is::Stopped || kernel_.description.stops[at_[leader]].kind != StopKind::Warp) continue;
    if (!is_complete(group, leader, members)) continue;
    finish_members(members);
    for (const std::uint32_t thread : members) {
      is_[thread] = Is::Ready;
      at_[thread] = kernel_.description.stops[at_[thread]].region;
    }
    return true;
  }
  return false;
}

void BlockRun::finish_members(const std::vector<std::uint32_t>& members) {
  const ptx::Instruction& in = kernel_.instructions[at_[members[0]]];
  std::vector<ptx::Lane> lanes;
  lanes.reserve(members.size());
  for (const std::uint32_t thread : members) {
    const Stop& stop = kernel_.description.stops[at_[thread]];
    ptx::Lane lane;
    lane.number = thread % 32;
    lane.values[0] = value(stop.a, thread, stop.wide);
    lane.values[1] = value(stop.b, thread);
    lane.values[2] = value(stop.c, thread);
    lanes.push_back(lane);
  }
  ptx::compute_together(in, lanes);
  for (std::size_t i = 0; i < members.size(); ++i) {
    const Stop& stop = kernel_.description.stops[at_[members[i]]];
    if (stop.result != kNoArray) words(stop.result)[members[i]] = static_cast<std::uint32_t>(lanes[i].result);
    if (stop.predicate != kNoArray)
      block_->saved[stop.predicate + members[i]] = std::byte{lanes[i].predicate};
  }
}

}  // namespace runner

// BlockRun: what the threads of a warp compute together.
#include <algorithm>

#include "block_run.hpp"
#include "warp.hpp"

namespace runner {
namespace {

using ptx::Opcode;

// shfl over all threads of a warp; c holds the clamp in its low five bits and the mask of segments above.
template <class From>
void shuffle(std::uint32_t count, const From& from, const std::uint32_t* values, std::uint32_t* results,
             std::uint8_t* predicates) {
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    bool inside = false;
    const std::uint32_t source = from(static_cast<std::int32_t>(lane), inside);
    if (predicates != nullptr) predicates[lane] = inside ? 1 : 0;
    results[lane] = values[inside && source < count ? source : lane];
  }
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
    if (stop.mask.array == no_array) {
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
      if (stop.a.array == no_array) return false;
      std::uint8_t* const predicates =
          stop.predicate == no_array
              ? nullptr
              : reinterpret_cast<std::uint8_t*>(block_->saved + stop.predicate) + first;
      const auto source = [&](std::int32_t lane, bool& inside) {
        const auto thread = first + static_cast<std::uint32_t>(lane);
        const auto b = static_cast<std::int32_t>(value(stop.b, thread) & 31);
        const std::uint64_t c = value(stop.c, thread);
        const auto clamp = static_cast<std::int32_t>(c & 31),
                   segments = static_cast<std::int32_t>((c >> 8) & 31);
        const std::int32_t most = (lane & segments) | (clamp & ~segments), least = lane & segments;
        std::int32_t from = lane;
        switch (in.shuffle) {
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
        return static_cast<std::uint32_t>(from);
      };
      shuffle(count, source, words(stop.a.array) + first, results, predicates);
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

bool BlockRun::is_complete(const Group& group, std::uint32_t leader,
                           std::vector<std::uint32_t>& members) const {
  const ptx::Instruction& in = kernel_.instructions[at_[leader]];
  const bool masked = in.opcode != Opcode::Activemask && in.warp_mask;
  const std::uint32_t end = group.first + group.count, mask = mask_of(leader);
  bool somebody_runs = false, complete = true;
  members.clear();
  for (std::uint32_t i = group.first; i < end; ++i) {
    if (is_[i] == Is::Ended) continue;
    somebody_runs = somebody_runs || is_[i] == Is::Ready;
    const bool named = !masked || ((mask >> (i - group.first)) & 1) != 0;
    const bool waits = is_[i] == Is::Stopped && kernel_.description.stops[at_[i]].kind == StopKind::Warp;
    const bool here = waits && kernel_.instructions[at_[i]].opcode == in.opcode && mask_of(i) == mask &&
                      (masked || at_[i] == at_[leader]);
    if (here && named)
      members.push_back(i);
    else if (masked && named)
      complete = false;
  }
  // Without a mask those take part that are there when nobody else can come any more.
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
    if (stop.result != no_array) words(stop.result)[members[i]] = static_cast<std::uint32_t>(lanes[i].result);
    if (stop.predicate != no_array)
      block_->saved[stop.predicate + members[i]] = std::byte{lanes[i].predicate};
  }
}

}  // namespace runner

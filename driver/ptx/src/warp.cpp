// SPDX-License-Identifier: MIT
// See ptx/warp.hpp: shfl, vote, match, redux, activemask and elect, as the PTX ISA defines them.
#include "ptx/warp.hpp"

#include <algorithm>

#include "ptx/evaluate.hpp"

namespace ptx {
namespace {

using u64 = std::uint64_t;

u64 members(const std::vector<Lane>& lanes) {
  u64 mask = 0;
  for (const Lane& lane : lanes) mask |= u64{1} << lane.number;
  return mask;
}

// c holds the clamp in its low five bits and the mask of segments above.
void shuffle(const Instruction& in, std::vector<Lane>& lanes) {
  for (Lane& lane : lanes) {
    const int number = static_cast<int>(lane.number);
    const int b = static_cast<int>(lane.values[1] & 31), clamp = static_cast<int>(lane.values[2] & 31);
    const int segments = static_cast<int>((lane.values[2] >> 8) & 31);
    const int most = (number & segments) | (clamp & ~segments), least = number & segments;
    int from = number;
    switch (in.shuffle) {
      case Shuffle::Up:
        from = number - b;
        lane.predicate = from >= most;
        break;
      case Shuffle::Down:
        from = number + b;
        lane.predicate = from <= most;
        break;
      case Shuffle::Butterfly:
        from = number ^ b;
        lane.predicate = from <= most;
        break;
      case Shuffle::Index:
        from = least | (b & ~segments);
        lane.predicate = from <= most;
        break;
    }
    if (!lane.predicate) from = number;
    // A lane that does not take part gives nothing that is defined; its own value is as good as any.
    const auto source = std::find_if(lanes.begin(), lanes.end(), [&](const Lane& other) {
      return static_cast<int>(other.number) == from;
    });
    lane.result = source != lanes.end() ? source->values[0] : lane.values[0];
  }
}

void vote(const Instruction& in, std::vector<Lane>& lanes) {
  u64 ballot = 0;
  for (const Lane& lane : lanes) ballot |= (lane.values[0] & 1) << lane.number;
  const u64 all = members(lanes);
  for (Lane& lane : lanes) {
    switch (in.vote) {
      case Vote::All:
        lane.result = ballot == all ? 1 : 0;
        break;
      case Vote::Any:
        lane.result = ballot != 0 ? 1 : 0;
        break;
      case Vote::Uniform:
        lane.result = ballot == 0 || ballot == all ? 1 : 0;
        break;
      case Vote::Ballot:
        lane.result = ballot;
        break;
    }
  }
}

void match(const Instruction& in, std::vector<Lane>& lanes) {
  for (Lane& lane : lanes) {
    lane.result = 0;
    for (const Lane& other : lanes) {
      if (truncate(in.types[0], other.values[0]) == truncate(in.types[0], lane.values[0]))
        lane.result |= u64{1} << other.number;
    }
    if (!in.match_all) continue;
    lane.predicate = lane.result == members(lanes);
    if (!lane.predicate) lane.result = 0;
  }
}

void reduce(const Instruction& in, std::vector<Lane>& lanes) {
  u64 result = lanes.front().values[0];
  for (std::size_t i = 1; i < lanes.size(); ++i)
    result = atomic(in.atomic, in.types[0], result, lanes[i].values[0], 0);
  for (Lane& lane : lanes) lane.result = truncate(Type::U32, result);
}

}  // namespace

void compute_together(const Instruction& in, std::vector<Lane>& lanes) {
  switch (in.opcode) {
    case Opcode::Shfl:
      return shuffle(in, lanes);
    case Opcode::Vote:
      return vote(in, lanes);
    case Opcode::Match:
      return match(in, lanes);
    case Opcode::Redux:
      return reduce(in, lanes);
    case Opcode::Elect:
      for (Lane& lane : lanes) {
        lane.result = lanes.front().number;
        lane.predicate = lane.number == lanes.front().number;
      }
      return;
    default:
      for (Lane& lane : lanes) lane.result = members(lanes);
  }
}

}  // namespace ptx

// SPDX-License-Identifier: MIT
// Waiting of the threads of a block for each other: barriers, and what a warp computes together. Part of the
// interpreter.
//
// A thread only notes what it waits for. When all others have run, the threads whose partners have arrived go
// on. A thread that never arrives is noticed when no thread can go on any more; no clock is needed.
#include <algorithm>
#include <functional>
#include <map>
#include <vector>

#include "interpreter.hpp"
#include "ptx/evaluate.hpp"

namespace ptx {
namespace {

// A thread that runs for longer may itself wait for a thread that waits for it.
constexpr unsigned kTurnsOfWhoComes = 3;

}  // namespace

// One group of a warp whose members have all arrived computes and goes on.
bool join_warp(std::span<Thread> warp) {
  bool running = false, coming = false;
  for (const Thread& thread : warp) {
    const bool runs = !thread.done && thread.waiting == Waiting::No;
    running = running || runs;
    coming = coming || (runs && thread.long_turns < kTurnsOfWhoComes);
  }
  for (const Thread& leader : warp) {
    if (leader.done || leader.waiting != Waiting::Warp) continue;
    const bool masked = leader.at->opcode != Opcode::Activemask && leader.at->warp_mask;
    // Without a mask, the threads take part that have arrived when no other can arrive any more.
    const bool meeting = !masked && leader.at->opcode == Opcode::BarWarp;
    if (!masked && (meeting ? coming : running)) continue;
    std::vector<Thread*> group;
    bool complete = true;
    for (Thread& thread : warp) {
      const bool alike = !thread.done && thread.waiting == Waiting::Warp &&
                         thread.at->opcode == leader.at->opcode &&
                         thread.at->warp_mask == leader.at->warp_mask;
      const bool here = alike && thread.mask == leader.mask && (masked || thread.at == leader.at);
      // A thread that waits at an earlier meeting for volatile stores may still come to this one.
      if (meeting && alike && std::less<>()(thread.at, leader.at)) complete = false;
      const bool named = !masked || ((leader.mask >> thread.lane.number) & 1) != 0;
      if (here && named)
        group.push_back(&thread);
      else if (masked && named && !thread.done)
        complete = false;
    }
    if (!complete || group.empty()) continue;
    finish_together(*leader.at, group);
    return true;
  }
  return false;
}

void finish_together(const Instruction& in, const std::vector<Thread*>& group) {
  std::vector<Lane> lanes;
  lanes.reserve(group.size());
  for (const Thread* thread : group) lanes.push_back(thread->lane);
  compute_together(in, lanes);
  for (std::size_t i = 0; i < group.size(); ++i) {
    Thread& thread = *group[i];
    thread.waiting = Waiting::No;
    if (in.opcode == Opcode::BarWarp) continue;
    Frame& frame = thread.frames.back();
    const Operand& to = thread.at->operands[0];
    write(frame, to, lanes[i].result);
    if (to.kind == Operand::Kind::Vector && to.parts.size() > 1)
      write(frame, to.parts[1], lanes[i].predicate ? 1 : 0);
  }
}

// Releases barriers at which as many threads have arrived as expected, or all that are left.
bool Interpreter::release_barriers(std::vector<Thread>& threads) {
  std::map<u64, std::vector<Thread*>> waiting;
  u64 alive = 0;
  for (Thread& thread : threads) {
    alive += thread.done ? 0 : 1;
    if (!thread.done && thread.waiting == Waiting::Block) waiting[thread.barrier].push_back(&thread);
  }
  bool released = false;
  for (const auto& [barrier, group] : waiting) {
    const u64 expected = group.front()->expected != 0 ? group.front()->expected : alive;
    if (group.size() + now_->arrived[barrier] < expected) continue;
    now_->arrived[barrier] = 0;
    finish_barrier(group);
    released = true;
  }
  return released;
}

void finish_barrier(const std::vector<Thread*>& group) {
  const auto voted = static_cast<u64>(
      std::count_if(group.begin(), group.end(), [](const Thread* thread) { return thread->voted; }));
  for (Thread* thread : group) {
    thread->waiting = Waiting::No;
    if (thread->at->opcode != Opcode::BarRed) continue;
    const Reduction how = thread->at->reduction;
    const u64 result = how == Reduction::Count ? voted
                       : how == Reduction::And ? (voted == group.size() ? 1 : 0)
                                               : (voted != 0 ? 1 : 0);
    write(thread->frames.back(), thread->at->operands[0], result);
  }
}

// bar: a [, count]; bar.red: result, a [, count], predicate.
void Interpreter::meet(Thread& thread, Frame& frame, const Instruction& in) {
  const bool reduces = in.opcode == Opcode::BarRed;
  const std::size_t first = reduces ? 1 : 0;
  const std::size_t end = in.operands.size() - (reduces ? 1 : 0);
  const u64 barrier =
      first < end ? truncate(Type::U32, value(thread, frame, in.operands[first], Type::U32)) : 0;
  const u64 expected =
      first + 1 < end ? truncate(Type::U32, value(thread, frame, in.operands[first + 1], Type::U32)) : 0;
  if (in.opcode == Opcode::BarArrive) {
    ++now_->arrived[barrier];
    return;
  }
  thread.at = &in;
  thread.waiting = Waiting::Block;
  thread.barrier = barrier;
  thread.expected = expected;
  thread.voted = reduces && (value(thread, frame, in.operands.back(), Type::Pred) & 1) != 0;
}

// barrier.cluster.wait. Who has not arrived, or has arrived at a barrier that is complete, does not wait.
void wait_for_cluster(Thread& thread, const Instruction& in) {
  if (!thread.arrived) return;
  thread.at = &in;
  thread.waiting = Waiting::Cluster;
}

// When somebody waits and all threads of the cluster have arrived or have ended, the barrier is complete,
// also for those that have not come to wait yet.
bool Interpreter::release_cluster_barrier() {
  bool waits = false;
  for (const RunningBlock& block : cluster_) {
    for (const Thread& thread : block.threads) {
      if (!thread.done && !thread.arrived) return false;
      waits = waits || thread.waiting == Waiting::Cluster;
    }
  }
  if (!waits) return false;
  for (RunningBlock& block : cluster_) {
    for (Thread& thread : block.threads) {
      thread.arrived = false;
      if (thread.waiting == Waiting::Cluster) thread.waiting = Waiting::No;
    }
  }
  return true;
}

void Interpreter::wait_for_warp(Thread& thread, Frame& frame, const Instruction& in) {
  thread.at = &in;
  thread.waiting = Waiting::Warp;
  const std::size_t first = in.opcode == Opcode::BarWarp ? 0 : 1;
  const bool masked = in.opcode != Opcode::Activemask && in.warp_mask;
  const std::size_t end = in.operands.size() - (masked ? 1 : 0);
  for (std::size_t i = first; i < end && i - first < 4; ++i)
    thread.lane.values[i - first] =
        value(thread, frame, in.operands[i], in.opcode == Opcode::Vote ? Type::Pred : Type::B32);
  thread.mask =
      masked ? truncate(Type::U32, value(thread, frame, in.operands.back(), Type::U32)) : 0xffffffffU;
}

}  // namespace ptx

// SPDX-License-Identifier: MIT
// See ptx/interpret.hpp. The clusters of a launch run one after another; without clusters, each block is one.
// The threads of a cluster's blocks run in turn, each until it waits or has executed a certain number of
// instructions.
#include "ptx/interpret.hpp"

#include <algorithm>
#include <thread>

#include "interpreter.hpp"
#include "ptx/evaluate.hpp"

namespace ptx {
namespace {

constexpr u64 kTurnLength = 20000;   // instructions of one thread before the next has its turn
constexpr u64 kStopInterval = 4096;  // instructions between two looks at Environment::stop

}  // namespace

Interpreter::Interpreter(const Module& module, const Function& kernel, const Launch& launch,
                         Environment& environment)
    : module_(module),
      kernel_(kernel),
      launch_(launch),
      environment_(environment),
      recursive_(recursive_functions(module)),
      shared_layout_(shared_layout(module, kernel)) {
  cluster_.resize(std::size_t{launch.cluster[0]} * launch.cluster[1] * launch.cluster[2]);
}

void Interpreter::run() {
  u64 all = 1;
  for (int i = 0; i < 3; ++i) all *= launch_.grid[i] / launch_.cluster[i];
  const u64 end = launch_.clusters == 0 ? all : std::min(all, launch_.first_cluster + launch_.clusters);
  for (u64 number = launch_.first_cluster; number < end; ++number) run_cluster(number);
}

void Interpreter::run_cluster(u64 number) {
  u64 at[3] = {};
  for (int i = 0; i < 3; ++i) {
    const u64 along = launch_.grid[i] / launch_.cluster[i];
    at[i] = number % along * launch_.cluster[i];
    number /= along;
  }
  const auto& size = launch_.cluster;
  for (std::uint32_t rank = 0; rank < cluster_.size(); ++rank) {
    RunningBlock& block = cluster_[rank];
    block.rank = rank;
    block.index[0] = static_cast<std::uint32_t>(at[0]) + rank % size[0];
    block.index[1] = static_cast<std::uint32_t>(at[1]) + rank / size[0] % size[1];
    block.index[2] = static_cast<std::uint32_t>(at[2]) + rank / size[0] / size[1];
    begin_block(block);
  }
  run_blocks();
  if (failed_assertion_) throw Stop{{Fault::Kind::Assert, *failed_assertion_}};
}

void Interpreter::begin_block(RunningBlock& block) {
  now_ = &block;
  block.arrived.clear();
  block.shared.assign(shared_layout_.bytes + launch_.dynamic_shared, std::byte{0});
  block.threads.assign(std::size_t{launch_.block[0]} * launch_.block[1] * launch_.block[2], Thread());
  std::size_t index = 0;
  for (Thread& thread : block.threads) {
    thread.tid[0] = static_cast<std::uint32_t>(index % launch_.block[0]);
    thread.tid[1] = static_cast<std::uint32_t>(index / launch_.block[0] % launch_.block[1]);
    thread.tid[2] = static_cast<std::uint32_t>(index / launch_.block[0] / launch_.block[1]);
    thread.lane.number = static_cast<unsigned>(index % 32);
    ++index;
    push_frame(thread, kernel_, nullptr);
    copy_parameters(thread);
  }
}

// In turns, until all are done. Threads that wait go on as soon as those they wait for have come.
void Interpreter::run_blocks() {
  for (;;) {
    bool moved = false, alive = false, tired = false;
    for (RunningBlock& block : cluster_) {
      now_ = &block;
      moved = run_turn(block, alive, tired) || moved;
    }
    if (!alive) return;
    // A block that runs this long may be waiting for a block of another thread.
    if (tired) std::this_thread::yield();
    if (release_cluster_barrier()) moved = true;
    if (!moved) throw Stop{{Fault::Kind::Stopped, "threads wait for others that never come"}};
  }
}

// Whether anything has changed.
bool Interpreter::run_turn(RunningBlock& block, bool& alive, bool& tired) {
  std::vector<Thread>& threads = block.threads;
  bool moved = false;
  for (Thread& thread : threads) {
    for (turn_ = 0; turn_ < kTurnLength && !thread.done && thread.waiting == Waiting::No; ++turn_) {
      step(thread);
      moved = true;
    }
    thread.long_turns = turn_ >= kTurnLength ? thread.long_turns + 1 : 0;
    tired = tired || turn_ >= kTurnLength;
    alive = alive || !thread.done;
  }
  for (std::size_t first = 0; first < threads.size(); first += 32) {
    const std::size_t last = std::min(threads.size(), first + 32);
    while (join_warp(std::span(threads).subspan(first, last - first))) moved = true;
  }
  return release_barriers(threads) || moved;
}

void Interpreter::branch_by_table(Thread& thread, Frame& frame, const Instruction& in) {
  const u64 index = truncate(Type::U32, value(thread, frame, in.operands[0], Type::U32));
  if (index >= in.targets.size()) throw Stop{{Fault::Kind::IllegalInstruction, place(in)}};
  frame.pc = in.targets[index];
}

// One instruction of one thread.
void Interpreter::step(Thread& thread) {
  if (++executed_ % kStopInterval == 0 && environment_.stop && environment_.stop()) {
    throw Stop{{Fault::Kind::Stopped, "stopped"}};
  }
  Frame& frame = thread.frames.back();
  if (frame.pc >= frame.function->body.size()) return pop_frame(thread);
  const Instruction& in = frame.function->body[frame.pc++];
  if (in.guarded && ((frame.registers[in.guard] & 1) != 0) == in.guard_negated) return;
  switch (in.opcode) {
    case Opcode::Bra:
      frame.pc = in.target;
      return;
    case Opcode::Ret:
      return pop_frame(thread);
    case Opcode::Exit:
      thread.frames.clear();
      thread.done = true;
      return;
    case Opcode::Trap:
    case Opcode::Brkpt:
      throw Stop{{Fault::Kind::Trap, place(in)}};
    case Opcode::Brx:
      return branch_by_table(thread, frame, in);
    case Opcode::Bar:
    case Opcode::BarArrive:
    case Opcode::BarRed:
      return meet(thread, frame, in);
    case Opcode::ClusterArrive:
      thread.arrived = true;
      return;
    case Opcode::ClusterWait:
      return wait_for_cluster(thread, in);
    case Opcode::Shfl:
    case Opcode::Vote:
    case Opcode::Match:
    case Opcode::Redux:
    case Opcode::Elect:
    case Opcode::Activemask:
    case Opcode::BarWarp:
      return wait_for_warp(thread, frame, in);
    case Opcode::Fence:
      fence_.fetch_add(1, std::memory_order_seq_cst);  // a full barrier, which thread sanitizers know too
      return;
    case Opcode::Nanosleep:
      turn_ = kTurnLength;
      return;
    case Opcode::Nothing:
    case Opcode::Prefetch:
      return;
    case Opcode::Call:
      return call(thread, in);
    case Opcode::Ld:
      return load(thread, frame, in);
    case Opcode::St:
      return store(thread, frame, in);
    case Opcode::Atom:
    case Opcode::Red:
      return atomic_step(thread, frame, in);
    case Opcode::Tex:
    case Opcode::Tld4:
    case Opcode::Txq:
    case Opcode::Suld:
    case Opcode::Sust:
    case Opcode::Suq:
      return texture(thread, frame, in);
    case Opcode::Mov:
      return move(thread, frame, in);
    case Opcode::Setp:
      return set_predicate(thread, frame, in);
    case Opcode::Cvta:
      return convert_address(thread, frame, in);
    default:
      return compute(thread, frame, in);
  }
}

Fault interpret(const Module& module, const Function& kernel, const Launch& launch,
                Environment& environment) {
  try {
    Interpreter(module, kernel, launch, environment).run();
  } catch (const Stop& stop) {
    return stop.fault;
  }
  return {};
}

}  // namespace ptx

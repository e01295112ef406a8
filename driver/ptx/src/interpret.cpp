// SPDX-License-Identifier: MIT
// See ptx/interpret.hpp. The blocks of a launch run one after another. The threads of a block run in turn,
// each until it waits or has executed a certain number of instructions.
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
  shared_.resize(shared_layout_.bytes + launch.dynamic_shared);
}

void Interpreter::run() {
  const u64 all = u64{launch_.grid[0]} * launch_.grid[1] * launch_.grid[2];
  const u64 end = launch_.blocks == 0 ? all : std::min(all, launch_.first_block + launch_.blocks);
  for (u64 number = launch_.first_block; number < end; ++number) {
    block_[0] = static_cast<std::uint32_t>(number % launch_.grid[0]);
    block_[1] = static_cast<std::uint32_t>(number / launch_.grid[0] % launch_.grid[1]);
    block_[2] = static_cast<std::uint32_t>(number / launch_.grid[0] / launch_.grid[1]);
    run_block();
  }
}

void Interpreter::run_block() {
  std::fill(shared_.begin(), shared_.end(), std::byte{0});
  std::vector<Thread> threads(std::size_t{launch_.block[0]} * launch_.block[1] * launch_.block[2]);
  std::size_t index = 0;
  for (Thread& thread : threads) {
    thread.tid[0] = static_cast<std::uint32_t>(index % launch_.block[0]);
    thread.tid[1] = static_cast<std::uint32_t>(index / launch_.block[0] % launch_.block[1]);
    thread.tid[2] = static_cast<std::uint32_t>(index / launch_.block[0] / launch_.block[1]);
    thread.lane.number = static_cast<unsigned>(index % 32);
    ++index;
    push_frame(thread, kernel_, nullptr);
    copy_parameters(thread);
  }
  run_threads(threads);
  if (failed_assertion_) throw Stop{{Fault::Kind::Assert, *failed_assertion_}};
}

// In turns, until all are done. Threads that wait go on as soon as those they wait for have come.
void Interpreter::run_threads(std::vector<Thread>& threads) {
  arrived_.clear();
  for (;;) {
    bool moved = false, alive = false, tired = false;
    for (Thread& thread : threads) {
      for (turn_ = 0; turn_ < kTurnLength && !thread.done && thread.waiting == Waiting::No; ++turn_) {
        step(thread);
        moved = true;
      }
      thread.long_turns = turn_ >= kTurnLength ? thread.long_turns + 1 : 0;
      tired = tired || turn_ >= kTurnLength;
      alive = alive || !thread.done;
    }
    if (!alive) return;
    // A block that runs this long may be waiting for a block of another thread.
    if (tired) std::this_thread::yield();
    for (std::size_t first = 0; first < threads.size(); first += 32) {
      const std::size_t last = std::min(threads.size(), first + 32);
      while (join_warp(std::span(threads).subspan(first, last - first))) moved = true;
    }
    if (release_barriers(threads)) moved = true;
    if (!moved) throw Stop{{Fault::Kind::Stopped, "threads wait for others that never come"}};
  }
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

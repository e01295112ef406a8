// SPDX-License-Identifier: MIT
// The interpreter's declarations for all of its files: threads with their frames, their block, and the
// functions that each file defines.
//
// Registers contain raw bits. Shared and local memory have addresses that no device allocation has, so that a
// generic address shows its space. Does not depend on contexts or workers.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "ptx/interpret.hpp"
#include "ptx/layout.hpp"
#include "ptx/printf.hpp"
#include "ptx/warp.hpp"

namespace ptx {

using u64 = std::uint64_t;

// Windows of the generic address space; far above every device and host address.
inline constexpr u64 kSharedWindow = u64{1} << 56;
inline constexpr u64 kLocalWindow = u64{2} << 56;
inline constexpr u64 kWindowMask = ~((u64{1} << 56) - 1);

struct Frame {
  const Function* function = nullptr;
  const Layout* layout = nullptr;
  std::vector<u64> registers;
  std::size_t pc = 0;
  u64 stack_bytes = 0;  // taken of the thread's stack
  u64 base = 0;         // of its variables, in the thread's local memory
  bool carry = false;
  const Instruction* call = nullptr;  // what the caller waits at; null for the kernel
};

enum class Waiting : std::uint8_t { No, Block, Warp, Cluster };

struct Thread {
  std::vector<Frame> frames;
  std::vector<std::byte> local;
  std::uint32_t tid[3] = {};
  u64 stack_bytes = 0;  // of frames of functions that may call themselves
  bool done = false;
  Waiting waiting = Waiting::No;
  const Instruction* at = nullptr;  // the instruction waited at
  u64 mask = 0;                     // warp operations: the threads that have to arrive
  u64 barrier = 0, expected = 0;    // block barriers: which, and how many threads (0: all)
  bool voted = false;               // bar.red
  bool arrived = false;             // at the barrier of the cluster, which is not complete yet
  unsigned long_turns = 0;          // full turns that it has used, one after another
  Lane lane;
};

// A block of the cluster that runs.
struct RunningBlock {
  std::uint32_t index[3] = {};
  std::uint32_t rank = 0;  // in its cluster
  std::vector<std::byte> shared;
  std::map<u64, u64> arrived;  // by barrier: threads that did not wait
  std::vector<Thread> threads;
};

// Of an address in shared memory, bits 24 to 31 say whose it is: 0 the block's own, else a rank and 1.
inline constexpr unsigned kRankShift = 24;
inline constexpr u64 kRankBits = u64{0xff} << kRankShift;

struct Stop {  // thrown out of a thread when the kernel ends early
  Fault fault;
};

inline std::string place(const Instruction& in) {
  return in.root + " at line " + std::to_string(in.line);
}
inline std::byte& bytes_of(u64& bits) {
  return *reinterpret_cast<std::byte*>(&bits);
}

// What concerns threads alone, and neither the module nor the launch.
inline void write(Frame& frame, const Operand& operand, u64 bits) {
  if (operand.kind == Operand::Kind::Register)
    frame.registers[operand.reg] = bits;
  else if (operand.kind == Operand::Kind::Vector && !operand.parts.empty())
    write(frame, operand.parts[0], bits);
}

// wait.cpp: operations for which the threads of a warp, a block or a cluster wait for one another.
bool join_warp(std::span<Thread> warp);
void finish_together(const Instruction& in, const std::vector<Thread*>& group);
void finish_barrier(const std::vector<Thread*>& group);
void wait_for_cluster(Thread& thread, const Instruction& in);

// call.cpp: frames, and the arguments and results of calls.
void pop_frame(Thread& thread);
void copy_arguments(Thread& thread, const Instruction& in, const Function& callee, std::size_t caller_index);
void copy_results(Thread& thread, const Instruction& in, const Function& callee,
                  const std::vector<std::byte>& results);
u64 argument(Thread& thread, const Instruction& in, std::size_t index);
void give_result(Thread& thread, const Instruction& in, u64 bits, std::size_t size);

class Interpreter {
 public:
  Interpreter(const Module& module, const Function& kernel, const Launch& launch, Environment& environment);
  void run();

 private:
  // interpret.cpp
  void run_cluster(u64 number);
  void begin_block(RunningBlock& block);
  void run_blocks();
  bool run_turn(RunningBlock& block, bool& alive, bool& tired);
  void branch_by_table(Thread& thread, Frame& frame, const Instruction& in);
  void step(Thread& thread);

  // wait.cpp
  bool release_barriers(std::vector<Thread>& threads);
  bool release_cluster_barrier();
  void meet(Thread& thread, Frame& frame, const Instruction& in);
  void wait_for_warp(Thread& thread, Frame& frame, const Instruction& in);

  // call.cpp
  const Layout& layout_of(const Function& function);
  void copy_parameters(Thread& thread);
  void push_frame(Thread& thread, const Function& function, const Instruction* call);
  void call(Thread& thread, const Instruction& in);
  void builtin(Thread& thread, const Instruction& in);
  void print(Thread& thread, const Instruction& in, const ReadGeneric& read);
  std::string assertion(Thread& thread, const Instruction& in, const ReadGeneric& read);

  // compute.cpp
  void compute(Thread& thread, Frame& frame, const Instruction& in);
  void set_predicate(Thread& thread, Frame& frame, const Instruction& in);
  void move(Thread& thread, Frame& frame, const Instruction& in);
  void convert_address(Thread& thread, Frame& frame, const Instruction& in);
  u64 rank_of(u64 address) const;
  void check_rank(const Instruction& in, u64 rank) const;
  bool is_in_space(const Instruction& in, u64 address) const;

  // access.cpp
  u64 value(const Thread& thread, const Frame& frame, const Operand& operand, Type type) const {
    if (operand.kind != Operand::Kind::Register) return value_of(thread, frame, operand, type);
    return operand.negated ? (frame.registers[operand.reg] & 1) ^ 1 : frame.registers[operand.reg];
  }
  u64 value_of(const Thread& thread, const Frame& frame, const Operand& operand, Type type) const;
  u64 symbol_address(const Frame& frame, const std::string& name) const;
  u64 linear(const Thread& thread) const;
  u64 special(const Thread& thread, Special which) const;
  std::byte* generic(Thread& thread, u64 address, u64 size);
  std::byte* resolve(Thread& thread, Frame& frame, const Instruction& in, const Operand& operand, u64 size);
  u64 named_generic(const Frame& frame, const Operand& operand, u64 address) const;
  void load(Thread& thread, Frame& frame, const Instruction& in);
  void store(Thread& thread, Frame& frame, const Instruction& in);
  void atomic_step(Thread& thread, Frame& frame, const Instruction& in);
  void texture(Thread& thread, Frame& frame, const Instruction& in);

  const Module& module_;
  const Function& kernel_;
  const Launch& launch_;
  Environment& environment_;
  std::optional<std::string> failed_assertion_;
  std::set<std::string> recursive_;
  Layout shared_layout_;
  std::map<const Function*, Layout> layouts_;
  std::vector<RunningBlock> cluster_;
  RunningBlock* now_ = nullptr;  // the one that runs
  u64 executed_ = 0;
  std::atomic<u64> fence_ = 0;
  u64 turn_ = 0;  // how much of its turn the running thread has used
};

}  // namespace ptx

// SPDX-License-Identifier: MIT
// A kernel prepared for the back end: calls that may wait are inlined, stops are found, and it is known what
// has to be kept at each stop.
//
// A stop is an instruction at which a thread waits for others: a barrier, an operation of the warp, and the
// way back in a loop that waits for memory. Works on PTX only; does not depend on LLVM.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "ptx/module.hpp"

namespace compiler {

struct Unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};
// Names the instruction and its line.
[[noreturn]] void unsupported(const ptx::Instruction& in, const std::string& what = "");

struct Program {
  const ptx::Module* module = nullptr;
  ptx::Function kernel;  // functions that may wait are part of its body
  // By instruction: waits for other threads, or lets them go on (a branch back in a loop that waits).
  std::vector<bool> stops;
  bool has_stops = false, by_warps = false;
};

// Puts functions that may wait into the kernel's body. Throws Unsupported.
Program inline_waiting_calls(const ptx::Module& module, const ptx::Function& kernel);
// Fills in Program::stops and what follows from them.
void mark_stops(Program& program);
// Whether a thread stops at this instruction.
bool is_stop(const ptx::Function& function, std::uint32_t index);

// ---- what an instruction reads and writes

struct Effects {
  std::vector<std::uint32_t> reads, writes;  // registers
  std::vector<std::string> variables_read;   // whose bytes are read, or whose address is taken
  std::vector<std::string> variables_written;
  std::vector<std::string> addresses_taken;
};
Effects effects_of(const ptx::Instruction& in);
// The instructions that may follow instruction `index`; the body's size means the end.
std::vector<std::uint32_t> successors(const ptx::Function& function, std::uint32_t index);
bool takes_address_of(const ptx::Function& function, const std::string& variable);
// Without calls, and every branch leads on.
bool is_straight(const ptx::Function& function);
bool is_warp_stop(ptx::Opcode opcode);
bool is_barrier(ptx::Opcode opcode);

// ---- what has to be kept

// Registers, the carry flag and .param variables that are read after an instruction, as sets of numbers.
class Liveness {
 public:
  Liveness(const Program& program);
  // What is live where instruction `index` begins.
  const std::vector<bool>& at(std::uint32_t index) const;
  std::uint32_t carry() const { return registers_; }
  // Number of a .param variable, if it is one of the kernel's frame.
  std::optional<std::uint32_t> variable(const std::string& name) const;

 private:
  void follow(const Program& program);
  std::vector<bool> before(const Program& program, std::uint32_t index, std::vector<bool> after) const;

  std::uint32_t registers_ = 0;
  std::map<std::string, std::uint32_t> variables_;
  std::map<std::uint32_t, std::vector<bool>> at_;  // where blocks begin
};

Liveness find_live(const Program& program);

// Registers that are cheaper to compute again than to keep: defined once, only from values that a thread
// always has. In the order in which they can be computed: number of the instruction by register.
std::map<std::uint32_t, std::uint32_t> find_recomputable(const Program& program);

// ---- what is the same for all threads

// Loaded once: passed after the parameters that every function has.
struct Common {
  std::vector<std::pair<std::uint64_t, unsigned>> parameters;  // offset and bytes
  std::vector<std::string> symbols;
};
Common find_common(const Program& program);
// Whether no generic address reaches shared memory.
bool find_shared_apart(const Program& program);

// ---- the guard in front of a kernel's work

// The first branch of a kernel, if it ends threads whose number is too large: if it goes the same way for the
// first and the last thread of a row and `value` did not wrap, it does so for all.
struct RowGuard {
  std::uint32_t branch = 0;  // the instruction
  bool stays = false;        // the predicate of those that go on
  ptx::Operand value;        // what the compared number is
  ptx::Type type = ptx::Type::S32;
};
std::optional<RowGuard> find_row_guard(const ptx::Function& kernel);

}  // namespace compiler

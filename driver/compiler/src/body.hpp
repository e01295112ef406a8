// SPDX-License-Identifier: MIT
// The code of one PTX function, as one thread of a kernel runs it.
//
// Registers are variables until LLVM has made values of them. instructions.hpp has the code of instructions,
// flow.hpp decides which of them a thread comes to. Operands are in emit_operands.cpp.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ir.hpp"
#include "kernel_abi/kernel_abi.hpp"
#include "program.hpp"

namespace compiler {

// What the code of a kernel has for all of its threads.
struct Kernel {
  const ptx::Module* module = nullptr;
  std::array<std::uint32_t, 3> shape = {};
  std::map<std::string, std::uint64_t> shared_offsets;
  std::uint64_t shared_bytes = 0;
  bool shared_is_apart = false;   // no generic address reaches it
  std::uint64_t local_reach = 0;  // bytes from Given::local on that the kernel's .local accesses may reach
  std::vector<std::string> symbols;
  std::map<std::string, Value> functions;      // lowered or to be
  std::vector<const ptx::Function*> to_lower;  // device functions that were called
  std::set<std::string> address_taken;         // functions

  std::uint32_t symbol_index(const std::string& name);
  std::uint32_t threads() const { return shape[0] * shape[1] * shape[2]; }
};

// What a thread gets: the first parameters of every function. in_order() alone says in which order.
struct Given {
  Value block, null, shared, saved, local;     // pointers
  std::array<Value, 3> thread = {};            // its place in the block
  Value linear;                                // the same as one number
  std::array<Value, 3> index = {}, grid = {};  // of the block, and how many blocks there are
  static constexpr unsigned kCount = 15, kPointers = 5, kPlaceOfShared = 2, kPlaceOfSaved = 3;
  static std::vector<IrType> types(const Ir& ir);
  static Given of(Value function);
  std::array<Value*, kCount> in_order();
};

// The arguments of a call of a function.
struct Arguments {
  Given given;
  std::vector<Value> more;  // what only these functions get
  std::vector<Value> values() const;
};

class Body {
 public:
  Body(Ir& ir, Kernel& kernel, const ptx::Function& function, Value into, const Given& given);

  std::map<std::pair<std::uint64_t, unsigned>, Value> parameters;  // of a kernel: offset and bytes, to value
  std::map<std::string, Value> symbol_values;                      // addresses that were loaded already

  // Makes room for the registers and, in `variables`, for what the function declares.
  void open();

  // Ends the block that it is called in.
  void fault(runner::Outcome outcome, int line);
  void fault_unless(Value good, runner::Outcome outcome, int line);

  Value register_value(std::uint32_t reg);
  void set_register(std::uint32_t reg, Value value);
  IrType register_type(std::uint32_t reg) const;
  Value carry() { return carry_; }
  Value read(const ptx::Operand& operand, ptx::Type type);
  void write(const ptx::Operand& operand, Value value, ptx::Type type);
  Value symbol_address(const std::string& name);
  Value block_field(std::size_t offset, IrType type) { return ir.field(given.block, offset, type); }
  // Where a block's shared memory begins, by the upper part of a .shared::cluster address.
  Value shared_of(Value owner);
  // The rank of the block in its cluster.
  Value rank() { return cluster(ptx::Special::ClusterCtarank); }
  // A function of the runner.
  Value runtime(std::size_t offset);

  std::map<std::string, Value> variables;  // pointers

  Ir& ir;
  Kernel& kernel;
  const ptx::Function& function;
  Value into;
  Given given;

 private:
  Value special(const ptx::Operand& operand);
  Value cluster(ptx::Special which);
  std::uint64_t immediate(const ptx::Operand& operand, ptx::Type type);

  std::vector<Value> registers_;
  Value carry_ = nullptr;
};

}  // namespace compiler

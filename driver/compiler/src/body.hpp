// SPDX-License-Identifier: MIT
// The code of one PTX function, as one thread of a kernel runs it.
//
// Registers are variables until LLVM has made values of them. Each of the files emit_*.cpp holds one group of
// instructions; which of them a thread comes to is decided in flow.hpp.
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

// What a thread gets: the first parameters of every function. in_order() alone says in which
// order.
struct Given {
  Value block, null, shared, saved, local;     // pointers
  std::array<Value, 3> thread = {};            // its place in the block
  Value linear;                                // the same as one number
  std::array<Value, 3> index = {}, grid = {};  // of the block, and how many blocks there are
  static constexpr unsigned count = 15, pointers = 5, place_of_shared = 2, place_of_saved = 3;
  static std::vector<IrType> types(const Ir& ir);
  static Given of(Value function);
  std::array<Value*, count> in_order();
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
  // One instruction that only computes, outside of the flow.
  void compute(const ptx::Instruction& in);

  bool is_inside(const ptx::Operand& operand, unsigned bytes) const;
  void check_local(Value number, unsigned bytes, int line);
  // Ends the block that it is called in.
  void fault(runner::Outcome outcome, int line);
  void fault_unless(Value good, runner::Outcome outcome, int line);

  Value register_value(std::uint32_t reg);
  void set_register(std::uint32_t reg, Value value);
  IrType register_type(std::uint32_t reg) const;
  Value carry() { return carry_; }
  Value read(const ptx::Operand& operand, ptx::Type type);
  void write(const ptx::Operand& operand, Value value, ptx::Type type);

  std::map<std::string, Value> variables;  // pointers

  Ir& ir;
  Kernel& kernel;
  const ptx::Function& function;
  Value into;
  Given given;

 private:
  // ---- operands: emit_operands.cpp
  Value special(const ptx::Operand& operand);
  Value symbol_address(const std::string& name);
  Value block_field(std::size_t offset, IrType type) { return ir.field(given.block, offset, type); }
  Value runtime(std::size_t offset);
  std::uint64_t immediate(const ptx::Operand& operand, ptx::Type type);

  // ---- memory: emit_memory.cpp
  struct Place {
    Value pointer;
    bool shared = false;
    bool own = false;  // a variable of this thread, by name
  };
  Place place(const ptx::Instruction& in, const ptx::Operand& operand, unsigned align);
  void check_alignment(Value number, unsigned align, int line);
  void load(const ptx::Instruction& in);
  bool load_parameter(const ptx::Instruction& in);
  void store(const ptx::Instruction& in);
  void atomic(const ptx::Instruction& in);
  Value change(const ptx::Instruction& in, Value old, Value value, Value swap);
  void convert_address(const ptx::Instruction& in);
  void test_space(const ptx::Instruction& in);

  // ---- calls: emit_calls.cpp
  void call(const ptx::Instruction& in);
  bool call_builtin(const ptx::Instruction& in);
  void call_indirect(const ptx::Instruction& in);
  Value argument(const ptx::Instruction& in, std::size_t index, IrType type);
  void set_result(const ptx::Instruction& in, std::size_t index, Value value);
  Value variable(const ptx::Instruction& in, const std::string& name);
  std::vector<Value> call_arguments(const ptx::Instruction& in);

  // ---- arithmetic
  void move(const ptx::Instruction& in);
  void arithmetic(const ptx::Instruction& in);
  void slow(const ptx::Instruction& in);  // by the reference semantics
  Value packed(const ptx::Instruction& in);
  Value integer(const ptx::Instruction& in);
  Value integer_bits(const ptx::Instruction& in);
  Value multiply(const ptx::Instruction& in, ptx::Type& result);
  Value divide(const ptx::Instruction& in);
  Value shift(const ptx::Instruction& in);
  Value with_carry(const ptx::Instruction& in, Value a, Value b);
  Value funnel(const ptx::Instruction& in);
  Value permute(const ptx::Instruction& in);
  Value lookup(const ptx::Instruction& in);
  Value field_number(const ptx::Instruction& in, std::size_t operand);
  Value insert(const ptx::Instruction& in);
  Value highest_bit(const ptx::Instruction& in);
  Value real(const ptx::Instruction& in);
  Value real_operation(const ptx::Instruction& in, Value a, Value b, Value c);
  Value extreme(bool least, Value a, Value b);
  Value flushed(Value a, bool flush);
  Value saturated(Value a);
  bool half(const ptx::Instruction& in);
  Value half_each(const ptx::Instruction& in, const std::vector<Value>& operands);
  Value widened(ptx::Type type, Value bits);  // a half or bfloat16 as a float
  Value to_half(Value value);
  Value compared(ptx::Compare how, ptx::Type type, bool flush, Value a, Value b);
  Value combined(ptx::Combine how, Value a, Value b);
  void set_predicate(const ptx::Instruction& in);
  void set_value(const ptx::Instruction& in);
  Value property(const ptx::Instruction& in);
  void select(const ptx::Instruction& in);
  void select_by_sign(const ptx::Instruction& in);
  void convert(const ptx::Instruction& in);
  bool convert_integer(const ptx::Instruction& in);
  bool convert_to_integer(const ptx::Instruction& in);
  bool convert_real(const ptx::Instruction& in);
  Value rounded(ptx::Rounding how, Value value);

  std::vector<Value> registers_;
  Value carry_ = nullptr;
};

}  // namespace compiler

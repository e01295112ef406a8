// SPDX-License-Identifier: MIT
// The code of single instructions: a class for each group of them, each in the file emit_<group>.cpp.
//
// All of them write into a Body. An object of a class lives only as long as one instruction is emitted.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "body.hpp"

namespace compiler {

// One instruction that only computes, outside of the flow.
void emit_instruction(Body& body, const ptx::Instruction& in);
// By a call of the reference semantics, which know every instruction.
void emit_reference(Body& body, const ptx::Instruction& in);
void emit_texture(Body& body, const ptx::Instruction& in);
// The two words that describe an instruction to the reference semantics, in memory.
Value packed(Ir& ir, const ptx::Instruction& in);

// What all groups use of a body.
class Group {
 protected:
  explicit Group(Body& to)
      : body(to),
        ir(to.ir),
        kernel(to.kernel),
        function(to.function),
        given(to.given),
        variables(to.variables) {}
  Value read(const ptx::Operand& operand, ptx::Type type) { return body.read(operand, type); }
  void write(const ptx::Operand& operand, Value value, ptx::Type type) { body.write(operand, value, type); }

  Body& body;
  Ir& ir;
  Kernel& kernel;
  const ptx::Function& function;
  const Given& given;
  const std::map<std::string, Value>& variables;
};

class Memory : Group {
 public:
  explicit Memory(Body& to) : Group(to) {}
  void load(const ptx::Instruction& in);
  void store(const ptx::Instruction& in);
  void atomic(const ptx::Instruction& in);
  void convert_address(const ptx::Instruction& in);
  void test_space(const ptx::Instruction& in);
  void map_rank(const ptx::Instruction& in);
  void find_rank(const ptx::Instruction& in);

 private:
  struct Place {
    Value pointer;
    bool shared = false;
    bool own = false;  // a variable of this thread, by name
  };
  Place place(const ptx::Instruction& in, const ptx::Operand& operand, unsigned align);
  void check_alignment(Value number, unsigned align, int line);
  void check_local(Value number, unsigned bytes, int line);
  void check_owner(Value number, int line);
  Value in_cluster(Value number);
  Value rank_of(Value address);
  bool is_inside(const ptx::Operand& operand, unsigned bytes) const;
  bool load_parameter(const ptx::Instruction& in);
  Value change(const ptx::Instruction& in, Value old, Value value, Value swap);
};

class Calls : Group {
 public:
  explicit Calls(Body& to) : Group(to) {}
  void call(const ptx::Instruction& in);

 private:
  bool call_builtin(const ptx::Instruction& in);
  void call_indirect(const ptx::Instruction& in);
  Value argument(const ptx::Instruction& in, std::size_t index, IrType type);
  void set_result(const ptx::Instruction& in, std::size_t index, Value value);
  Value variable(const ptx::Instruction& in, const std::string& name);
  std::vector<Value> call_arguments(const ptx::Instruction& in);
};

// Results are values, or null for what has no short form.
class Integers : Group {
 public:
  explicit Integers(Body& to) : Group(to) {}
  void move(const ptx::Instruction& in);
  Value integer(const ptx::Instruction& in);
  Value multiply(const ptx::Instruction& in, ptx::Type& result);

 private:
  Value integer_bits(const ptx::Instruction& in);
  Value divide(const ptx::Instruction& in);
  Value shift(const ptx::Instruction& in);
  Value with_carry(const ptx::Instruction& in, Value a, Value b);
  Value funnel(const ptx::Instruction& in);
  Value permute(const ptx::Instruction& in);
  Value lookup(const ptx::Instruction& in);
  Value field_number(const ptx::Instruction& in, std::size_t operand);
  Value insert(const ptx::Instruction& in);
  Value highest_bit(const ptx::Instruction& in);
};

class Reals : Group {
 public:
  explicit Reals(Body& to) : Group(to) {}
  // Null for what has no short form.
  Value real(const ptx::Instruction& in);
  // False for what has no short form.
  bool half(const ptx::Instruction& in);

 private:
  Value real_operation(const ptx::Instruction& in, Value a, Value b, Value c);
  Value half_each(const ptx::Instruction& in, const std::vector<Value>& operands);
  Value extreme(bool least, Value a, Value b);
};

class Comparisons : Group {
 public:
  explicit Comparisons(Body& to) : Group(to) {}
  void set_predicate(const ptx::Instruction& in);
  void set_value(const ptx::Instruction& in);
  void select(const ptx::Instruction& in);
  void select_by_sign(const ptx::Instruction& in);
  Value property(const ptx::Instruction& in);
  Value combined(ptx::Combine how, Value a, Value b);

 private:
  Value compared(ptx::Compare how, ptx::Type type, bool flush, Value a, Value b);
};

class Conversions : Group {
 public:
  explicit Conversions(Body& to) : Group(to) {}
  void convert(const ptx::Instruction& in);

 private:
  bool convert_integer(const ptx::Instruction& in);
  bool convert_to_integer(const ptx::Instruction& in);
  bool convert_real(const ptx::Instruction& in);
  Value rounded(ptx::Rounding how, Value value);
};

// ---- of floating-point values: reals.cpp

// Subnormal numbers as zeros, if asked for.
Value flushed(Ir& ir, Value a, bool flush);
Value saturated(Ir& ir, Value a);
// A half or bfloat16 as a float.
Value widened(Ir& ir, ptx::Type type, Value bits);
Value to_half(Ir& ir, Value value);

}  // namespace compiler

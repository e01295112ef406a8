// SPDX-License-Identifier: MIT
// Reads one instruction with its guard, words and operands. classify.cpp finds the meaning of its words.
#pragma once
#include <string>
#include <vector>

#include "parse_call.hpp"

namespace ptx {

constexpr std::uint32_t kMostRegisters = 1U << 20;
void add_register(Function& function, const std::string& name, Type type, int line);

// Whatever it appends to a function's body can be run as it stands: numbers of elements are in registers of
// their own, results in registers are stored before each ret. Only branches do not know yet where they go.
class InstructionReader {
 public:
  InstructionReader(Cursor& text, Errors& errors, Scopes& scopes, ModuleNames& names)
      : text_(text),
        errors_(errors),
        scopes_(scopes),
        operands_(text, errors, scopes, unknown_),
        checks_(names, unknown_, errors),
        calls_(text, scopes, names, unknown_, operands_, checks_, errors) {}
  // For the instructions to come: the results that are in registers; "" for the others.
  void set_results(std::vector<std::string> registers) { result_registers_ = std::move(registers); }
  void read(Function& function);
  // Appends it, and before a ret what stores the results that are in registers.
  void finish(Function& function, Instruction instruction);

 private:
  void guard(Instruction& instruction);
  void operands(Instruction& instruction);
  void elements(Function& function, Instruction& instruction);
  void place_element(Function& function, const Instruction& instruction, Operand& operand);

  Cursor& text_;
  Errors& errors_;
  const Scopes& scopes_;
  UnknownNames unknown_;
  OperandReader operands_;
  Checks checks_;
  CallReader calls_;
  std::vector<std::string> result_registers_;
};

}  // namespace ptx

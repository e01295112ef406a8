// SPDX-License-Identifier: MIT
// Reads calls. The text may pass variables, registers or numbers; the tree always passes .param variables of
// the caller's frame. An operand that is not such a variable gets one, which is stored before the call or
// loaded after it.
#pragma once
#include <string>
#include <vector>

#include "check.hpp"
#include "parse_operand.hpp"

namespace ptx {

// A load or store of a parameter, under the guard and on the line of another instruction.
Instruction parameter_access(bool load, const Operand& reg, const std::string& name, Type type,
                             const Instruction& like);

// The variables that it adds to a function have names that no text can use and no two calls share.
class CallReader {
 public:
  CallReader(Cursor& text, Scopes& scopes, ModuleNames& names, UnknownNames& unknown, OperandReader& operands,
             Checks& checks, Errors& errors)
      : text_(text),
        scopes_(scopes),
        names_(names),
        unknown_(unknown),
        operands_(operands),
        checks_(checks),
        errors_(errors) {}
  // What follows the word "call"; appends it to the function with what has to stand around it.
  void read(Function& function, Instruction instruction);

 private:
  std::vector<Operand> call_operands();
  void place_call(Function& function, Instruction& instruction, const Prototype* prototype,
                  const std::vector<Operand>& results, const std::vector<Operand>& arguments);
  std::string call_variable(Function& function, const Instruction& call, const Operand& operand,
                            const Parameter& parameter, bool result, std::vector<Instruction>& moves);
  void check_argument(const Instruction& call, const std::string& name, const Parameter& parameter);

  Cursor& text_;
  const Scopes& scopes_;
  const ModuleNames& names_;
  UnknownNames& unknown_;
  OperandReader& operands_;
  const Checks& checks_;
  Errors& errors_;
  unsigned call_variables_ = 0;
};

}  // namespace ptx

// SPDX-License-Identifier: MIT
// Reads the body of a function: its braces, labels, registers and variables.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "parse_instruction.hpp"
#include "parse_parameters.hpp"

namespace ptx {

// Names that are scoped in the text are unique in the tree, and each branch of a body that was read knows
// where it goes.
class BodyReader {
 public:
  BodyReader(Cursor& text, Errors& errors, Scopes& scopes, ModuleNames& names, VariableReader& variables,
             ParameterReader& parameters)
      : text_(text),
        errors_(errors),
        scopes_(scopes),
        names_(names),
        variables_(variables),
        parameters_(parameters),
        instructions_(text, errors, scopes, names) {}
  // The function has its results and parameters, and the lists say which of them are in registers.
  void read(Function& function, const std::vector<bool>& results_in, const std::vector<bool>& parameters_in);

 private:
  void declare_parameters(Function& function, const std::vector<bool>& results_in,
                          const std::vector<bool>& parameters_in);
  void statement(Function& function);
  void labelled(Function& function);
  void registers(Function& function);
  void scoped_variable(Function& function);
  void resolve(Function& function);

  Cursor& text_;
  Errors& errors_;
  Scopes& scopes_;
  ModuleNames& names_;
  VariableReader& variables_;
  ParameterReader& parameters_;
  InstructionReader instructions_;
  std::vector<int> scope_of_;                   // by instruction: where its labels are looked up
  std::map<std::string, unsigned> used_names_;  // how often, by function and name
};

}  // namespace ptx

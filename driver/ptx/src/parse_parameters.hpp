// SPDX-License-Identifier: MIT
// Reads the results and parameters of functions and of call prototypes.
#pragma once
#include <vector>

#include "parse_variable.hpp"

namespace ptx {

// Parameters lie behind each other in the order of the text, each at a multiple of its alignment.
class ParameterReader {
 public:
  ParameterReader(Cursor& text, Errors& errors, VariableReader& variables)
      : text_(text), errors_(errors), variables_(variables) {}
  // `in_register` gets an element for each parameter; those of a prototype may have the same name.
  std::vector<Parameter> list(std::vector<bool>& in_register, bool entry, bool named);
  Prototype prototype();

 private:
  Cursor& text_;
  Errors& errors_;
  VariableReader& variables_;
};

}  // namespace ptx

// SPDX-License-Identifier: MIT
// Reads a whole text: .version, .target, and what stands outside of functions and variables.
//
// The readers below it: FunctionReader (parse_function.hpp) has BodyReader, which has InstructionReader,
// which has OperandReader, Checks and CallReader; VariableReader and ParameterReader serve several of them.
// All of them move one Cursor, report to one Errors, and look names up in one Scopes. Users see ptx/parse.hpp
// only.
#pragma once
#include <string_view>

#include "parse_function.hpp"

namespace ptx {

// Serves for one text.
class Parser {
 public:
  explicit Parser(std::string_view text);
  Parser(const Parser&) = delete;  // its parts refer to each other
  Parser& operator=(const Parser&) = delete;
  ParseResult run();

 private:
  void header();
  void version();
  void target();
  void directives();
  void alias();
  void skip_section();

  Module module_;
  Errors errors_;
  Cursor text_;
  ModuleNames names_{module_};
  Scopes scopes_{names_};
  VariableReader variables_{text_, errors_, scopes_, names_};
  FunctionReader functions_{text_, errors_, scopes_, names_, variables_};
  bool rounds_twice_;
};

}  // namespace ptx

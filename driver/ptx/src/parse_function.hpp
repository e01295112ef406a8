// SPDX-License-Identifier: MIT
// Reads functions: their headers, and the directives on their performance. Bodies are BodyReader's.
#pragma once
#include "parse_body.hpp"

namespace ptx {

// A function is in the module before its body is read, so that it can call itself.
class FunctionReader {
 public:
  FunctionReader(Cursor& text, Errors& errors, Scopes& scopes, ModuleNames& names, VariableReader& variables)
      : text_(text),
        errors_(errors),
        scopes_(scopes),
        names_(names),
        parameters_(text, errors, variables),
        body_(text, errors, scopes, names, variables, parameters_) {}
  // What follows .entry or .func.
  void read(bool kernel, const Linkage& linkage);

 private:
  void performance(Function& function);
  void cluster_feature(std::string_view directive, int line);
  void performance_numbers(Function& function, const Token& word);
  void check_header(const Function& function);

  Cursor& text_;
  Errors& errors_;
  Scopes& scopes_;
  ModuleNames& names_;
  ParameterReader parameters_;
  BodyReader body_;
};

}  // namespace ptx

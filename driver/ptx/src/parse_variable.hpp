// SPDX-License-Identifier: MIT
// Reads declarations of variables with their dimensions and initial values, and reports mistakes in them.
#pragma once
#include <cstdint>
#include <vector>

#include "cursor.hpp"
#include "scopes.hpp"

namespace ptx {

struct Linkage {
  bool external = false, visible = false, weak = false, common = false;
};

struct Declaration {
  Variable variable;
  std::vector<std::uint64_t> dimensions;  // the vector's elements last
  bool open = false;                      // begins with []
  int line = 0;
};

// The size of a variable that it returns is the product of its dimensions and at most 4 GiB; it has no more
// initial values than elements.
class VariableReader {
 public:
  VariableReader(Cursor& text, Errors& errors, const Scopes& scopes, ModuleNames& names)
      : text_(text), errors_(errors), scopes_(scopes), names_(names) {}
  // What follows the state space: qualifiers, type, [.ptr …], name, dimensions.
  Declaration declaration(Space space);
  // What follows the declaration: [= initial value] ;
  void definition(Declaration& declaration, const Linkage& linkage);
  void module_variable(Space space, const Linkage& linkage);

 private:
  void qualifiers(Declaration& declaration, std::uint32_t& align, std::uint64_t& vector);
  void dimensions(Declaration& declaration);
  void initialiser(Declaration& declaration);
  void initial_list(Declaration& declaration, std::size_t level, std::size_t base);
  Initialiser initial_value(const Variable& variable);
  void check(const Declaration& declaration, const Linkage& linkage, bool initialised);

  Cursor& text_;
  Errors& errors_;
  const Scopes& scopes_;
  ModuleNames& names_;
};

}  // namespace ptx

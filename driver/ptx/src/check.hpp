// SPDX-License-Identifier: MIT
// Whether the operands of an instruction are of the kinds, sizes and spaces that it takes.
#pragma once
#include "scopes.hpp"

namespace ptx {

// Looks at instructions whose words are without mistakes, so that rules.cpp has a row for each. An operand
// with an unknown name fits nowhere: its name is reported as well.
class Checks {
 public:
  Checks(ModuleNames& names, const UnknownNames& unknown, Errors& errors)
      : names_(names), unknown_(unknown), errors_(errors) {}
  void check(const Function& function, const Instruction& instruction);
  bool fits(const Function& function, const Operand& operand, Type type, bool wider) const;

 private:
  void check_operands(const Function& function, const Instruction& instruction);
  bool can_use_clusters(const Instruction& in);
  void check_memory(const Function& function, const Instruction& instruction);
  void check_texture(const Function& function, const Instruction& in);
  void check_move(const Function& function, const Instruction& instruction);
  bool fits_parts(const Function& function, const Operand& operand, Type type, unsigned lanes) const;

  ModuleNames& names_;  // an address of 32 bits makes it a module of 32 bits
  const UnknownNames& unknown_;
  Errors& errors_;
};

}  // namespace ptx

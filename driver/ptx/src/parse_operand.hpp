// SPDX-License-Identifier: MIT
// Reads one operand of an instruction: a register, a number, a name, an address, a vector.
#pragma once
#include "cursor.hpp"
#include "scopes.hpp"

namespace ptx {

constexpr std::uint64_t kNotAnArray = ~std::uint64_t{0};  // in Operand::element

// What it returns names registers and variables as the tree does. A name that nothing declares becomes a
// symbol, and is among the unknown names.
class OperandReader {
 public:
  OperandReader(Cursor& text, Errors& errors, const Scopes& scopes, UnknownNames& unknown)
      : text_(text), errors_(errors), scopes_(scopes), unknown_(unknown) {}
  Operand read();

 private:
  Operand named_operand(const Token& word, bool negated);
  Operand pair_operand(Operand first);
  Operand element_operand(Operand array, std::uint64_t size);
  Operand vector_register(const Token& word);
  Operand special_operand(const Token& word);
  Operand address();

  Cursor& text_;
  Errors& errors_;
  const Scopes& scopes_;
  UnknownNames& unknown_;
};

}  // namespace ptx

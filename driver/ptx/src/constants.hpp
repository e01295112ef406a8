// SPDX-License-Identifier: MIT
// Numbers, constant expressions and the names of types, which need nothing but the text at the cursor.
#pragma once
#include <cstdint>
#include <string_view>

#include "cursor.hpp"
#include "errors.hpp"
#include "ptx/module.hpp"

namespace ptx {

// A constant expression, as in C, on 64-bit integers: of operators that bind more tightly than this.
std::int64_t constant(Cursor& text, Errors& errors, int least_precedence = 0);
// The same, where it has to begin with a number.
std::uint64_t integer(Cursor& text, Errors& errors);
// A float, possibly negative, or a constant expression.
Operand literal(Cursor& text, Errors& errors);
Operand immediate(std::uint64_t bits);

Type type_of_word(std::string_view word);  // ".s32" or "s32"; None when it is no type
Type type_word(Cursor& text);

}  // namespace ptx

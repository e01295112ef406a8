// SPDX-License-Identifier: MIT
// How each instruction is written, and what its words mean: rules.cpp has the table, classify.cpp reads
// words.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"
#include "ptx/parse.hpp"

namespace ptx {

struct Rule {
  std::string_view root;
  Opcode opcode;
  std::uint32_t types;        // set of bit(Type) that the first type may be; 0: it has none
  std::string_view operands;  // one letter each, see rules.cpp; those after '/' may be missing
  enum Need : std::uint8_t { Nothing, Rounding, RoundingOrApproximate, Approximate } need;
};
constexpr std::uint32_t bit(Type type) {
  return std::uint32_t{1} << static_cast<unsigned>(type);
}
const Rule* find_rule(std::string_view root);
bool is_unsupported_root(std::string_view root);

// Reads root and modifiers into the instruction's fields; returns what is wrong with them.
std::vector<ParseError> classify(Instruction& instruction);
// As the assembler names it: with ".wide", ".lo", ".to".
std::string shown_name(const Instruction& instruction);

}  // namespace ptx

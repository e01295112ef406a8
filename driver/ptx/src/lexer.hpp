// SPDX-License-Identifier: MIT
// Turns PTX text into tokens. Comments and blanks are removed; every token has its line. Never fails: unknown
// characters become a token of kind Bad, which the parser reports.
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

namespace ptx {

struct Token {
  enum class Kind : std::uint8_t { Name, Directive, Number, String, Punctuation, Bad, End };
  Kind kind = Kind::End;
  std::string_view text;        // Directive and instruction words keep their dots: ".entry", "mad.lo.s32"
  std::uint64_t bits = 0;       // Number
  bool float_literal = false;   // Number: bits of a double
  bool single_literal = false;  // Number: bits of a float (0f…)
  bool overflow = false;        // Bad: a number of more than 64 bits
  bool open_comment = false;    // End: inside a comment
  int line = 1;
};

std::vector<Token> tokenize(std::string_view text);

}  // namespace ptx

// SPDX-License-Identifier: MIT
// PTX text to tokens. Comments and blanks vanish; every token knows its line. Never fails: what it does not
// know is a token of kind Bad, and the parser names it.
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

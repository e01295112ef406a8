// SPDX-License-Identifier: MIT
// PTX text to a checked tree. The text is untrusted: every size is bounded, nothing crashes on garbage.
//
// Mistakes are told as NVIDIA's assembler tells them, all of a text's mistakes in its order, because students
// look these sentences up. It knows no device: what a device allows is asked afterwards.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace ptx {

struct ParseError {
  int line = 0;              // 1-based; 0 when no place is told
  std::string message;       // without the place, e.g. "Unknown symbol 'x'"
  bool unsupported = false;  // valid PTX that this driver does not implement
  bool fatal = false;        // reading ended here
  bool version = false;      // a newer PTX than this driver's
};

struct ParseResult {
  std::optional<Module> module;  // nothing when `error` is set
  std::optional<ParseError> error;
  std::vector<ParseError> errors;  // all of them; `error` is the first
};

// Products and sums that may be rounded once are, unless the text begins with this comment.
inline constexpr std::string_view rounded_twice = "/*rounded twice*/";

ParseResult parse(std::string_view text);

// What a program that is complete may not have: functions and variables that nobody defines. The first one in
// the assembler's words, nothing when there is none.
std::optional<ParseError> unresolved(const Module& module);

}  // namespace ptx

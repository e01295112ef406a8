// SPDX-License-Identifier: MIT
// Turns PTX text into a checked tree. The text is untrusted: every size is bounded, and no input crashes the
// parser.
//
// Mistakes are reported in the words of NVIDIA's assembler, all mistakes of a text in its order, because
// students search for these messages. Does not depend on a device: the limits of a device are checked later.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ptx/module.hpp"

namespace ptx {

struct ParseError {
  int line = 0;              // 1-based; 0 if the message has no line
  std::string message;       // without the place, e.g. "Unknown symbol 'x'"
  bool unsupported = false;  // valid PTX that this driver does not implement
  bool fatal = false;        // parsing ended here
  bool version = false;      // the text is of a newer PTX version than this driver's
};

struct ParseResult {
  std::optional<Module> module;  // nothing if `error` is set
  std::optional<ParseError> error;
  std::vector<ParseError> errors;  // all of them; `error` is the first
};

// Products and sums that may be fused are rounded once, unless the text begins with this comment.
inline constexpr std::string_view kRoundedTwice = "/*rounded twice*/";

ParseResult parse(std::string_view text);

// A complete program must not use functions or variables without a definition. Returns the first such mistake
// in the assembler's words, or nothing if there is none.
std::optional<ParseError> unresolved(const Module& module);

}  // namespace ptx

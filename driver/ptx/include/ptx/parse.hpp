// PTX text to a checked tree. The text is untrusted: every size is bounded, nothing crashes on garbage.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "ptx/module.hpp"

namespace ptx {

struct ParseError {
  int line = 0;              // 1-based
  std::string message;       // without the place, e.g. "Unknown symbol 'x'"
  bool unsupported = false;  // valid PTX that this driver does not implement
};

struct ParseResult {
  std::optional<Module> module;  // nothing when `error` is set
  std::optional<ParseError> error;
};

ParseResult parse(std::string_view text);

}  // namespace ptx

// SPDX-License-Identifier: MIT
// The messages for mistakes that CLI11 finds in a command line, in the reader's language, with the remedy.
#pragma once
#include "lab/text.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace cli {
lab::Problem usage_error(const CLI::App& app, const CLI::ParseError& error);
}

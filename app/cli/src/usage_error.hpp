// SPDX-License-Identifier: MIT
// What CLI11 finds wrong with a command line, said in the reader's language, with the remedy.
#pragma once
#include "lab/text.hpp"

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace cli {
lab::Problem usage_error(const CLI::App& app, const CLI::ParseError& error);
}

// SPDX-License-Identifier: MIT
// CLI11 has its errors only as finished English sentences. So the kind of an error is recognised by its
// class, and the name in the message is taken from the parser's own state.
#include "usage_error.hpp"

#include <string>

#include <CLI/CLI.hpp>

namespace cli {
namespace {

using T = lab::Text;

std::string help_of(const CLI::App& app) {
  const auto named = app.get_subcommands();
  return named.empty() ? "driverlab --help" : "driverlab " + named.front()->get_name() + " --help";
}

}  // namespace

lab::Problem usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const std::string sentence = error.what();
  const std::string first_word = sentence.substr(0, sentence.find_first_of(": "));
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
    const std::vector<std::string> extra = app.remaining(true);
    const std::string word = extra.empty() ? sentence : extra.front();
    if (app.get_subcommands().empty()) return {T::CliUnknownCommand, {word}};
    if (app.get_subcommands().front()->get_name() == "trace" && !word.starts_with('-'))
      return {T::CliTraceWithoutDashes, {word}};
    return {T::CliUnexpectedIn, {word, help_of(app)}};
  }
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    if (app.get_subcommands().empty()) {
      const std::vector<std::string> extra = app.remaining(true);
      if (!extra.empty()) return {T::CliUnknownCommand, {extra.front()}};
      return {T::CliNoCommand, {}};
    }
    return {T::CliMissing, {first_word, help_of(app)}};
  }
  if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
    return {T::CliNeedsValue, {first_word, help_of(app)}};
  return {T::CliOtherUsage, {sentence, help_of(app)}};
}

}  // namespace cli

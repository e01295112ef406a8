// SPDX-License-Identifier: MIT
// driverlab describe: the whole command line as JSON, in one language, from the same tables as --help. The
// build makes the manual pages and the completions of the shells from it (packaging/make_manual.py); it is
// not meant for users.
#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "shell.hpp"

namespace cli {
namespace {

using Json = nlohmann::ordered_json;

// An argument by its name, an option by all its spellings; a flag takes no value.
Json describe(const CLI::Option& option) {
  Json names = Json::array();
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  if (names.empty()) names.push_back(option.get_name(true));
  const bool flag = option.get_items_expected_max() == 0;
  return {{"names", std::move(names)},
          {"text", option.get_description()},
          {"value", flag ? std::string() : option.get_type_name()},
          {"required", option.get_required()}};
}

Json describe(const CLI::App& app) {
  Json arguments = Json::array(), options = Json::array(), commands = Json::array();
  for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
    const bool positional = !option->nonpositional();
    (positional ? arguments : options).push_back(describe(*option));
  }
  const auto in_the_list = [](const CLI::App* sub) { return !sub->get_group().empty(); };
  for (const CLI::App* sub : app.get_subcommands(in_the_list)) commands.push_back(describe(*sub));
  return {{"name", app.get_name()},        {"text", app.get_description()},
          {"footer", app.get_footer()},    {"arguments", std::move(arguments)},
          {"options", std::move(options)}, {"commands", std::move(commands)}};
}

}  // namespace

void add_describe(CLI::App& app, Shell& shell) {
  const auto act = [&app] {
    cli::print("{}\n", describe(app).dump(2));
    return static_cast<int>(kDone);
  };
  subcommand(app, shell, "describe", lab::Text::CliAbout, act)->group("");  // not in the list
}

}  // namespace cli

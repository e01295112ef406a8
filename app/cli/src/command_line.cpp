// SPDX-License-Identifier: MIT
// See cli/command_line.hpp: finds the subcommand and the language, and runs the subcommand. Without any
// argument, the window is opened.
#include "cli/command_line.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <memory>
#include <new>
#include <system_error>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

#include "lab/text.hpp"
#include "lab/version.hpp"
#include "shell.hpp"
#include "usage_error.hpp"

namespace cli {
namespace {

using T = lab::Text;

lab::Language g_language = lab::Language::English;  // for words where nothing else is left

// The language is needed before anything can be said, also about the command line itself.
lab::Result<lab::Language> language_of(std::vector<std::string>& words) {
  lab::Language language = lab::language_from_environment();
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string value;
    std::size_t taken = 1;
    if (words[i] == "--lang" && i + 1 < words.size()) {
      value = words[i + 1];
      taken = 2;
    } else if (words[i].rfind("--lang=", 0) == 0) {
      value = words[i].substr(std::strlen("--lang="));
    } else {
      continue;
    }
    const std::optional<lab::Language> parsed = lab::parse_language(value);
    if (!parsed) return lab::problem(T::CliWrongChoice, {"--lang", value, "en, zh"});
    language = *parsed;
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(i),
                words.begin() + static_cast<std::ptrdiff_t>(i + taken));
    --i;
  }
  return language;
}

// CLI11 would take what follows `--` as its own arguments.
void split_at_dashes(std::vector<std::string>& words, Shell& shell) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] != "--") continue;
    shell.dashes = true;
    shell.after_dashes.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
    words.resize(i);
    return;
  }
}

void describe(CLI::App& app, Shell& shell, std::string& lang) {
  auto formatter = std::make_shared<CLI::Formatter>();
  formatter->label("Usage", shell.text(T::CliHelpUsage));
  formatter->label("Positionals", shell.text(T::CliHelpArguments));
  formatter->label("OPTIONS", shell.text(T::CliHelpOptionsWord));
  formatter->label("SUBCOMMAND", shell.text(T::CliHelpCommandWord));
  formatter->label("REQUIRED", "");
  formatter->column_width(34);
  app.formatter(formatter);
  app.option_defaults()->group(shell.text(T::CliHelpOptions));
  app.set_help_flag("-h,--help", shell.text(T::CliHelpFlag))->group(shell.text(T::CliHelpOptions));
  app.set_version_flag("--version", lab::name_and_version(), shell.text(T::CliVersionFlag))
      ->group(shell.text(T::CliHelpOptions));
  // Taken out of the words already; here so that the help shows it.
  app.add_option("--lang", lang, shell.text(T::CliLangOption))->type_name("en|zh");
  app.footer(shell.text(T::CliHelpFooter));
  app.require_subcommand(1, 1);
  for (auto add : {add_list, add_run, add_trace, add_replay, add_compare, add_shot, add_export, add_check,
                   add_progress, add_teach, add_handout, add_doctor, add_serve, add_describe})
    add(app, shell);
}

int open_window(const Shell& shell, const std::string& recording = {}) {
  if (shell.front_end->open_window) return shell.front_end->open_window(recording);
  shell.complain(T::CliNoWindow);
  return kNotHere;
}

int parse_and_run(std::vector<std::string> words, Shell& shell) {
  CLI::App app{shell.text(T::CliAbout), "driverlab"};
  std::string lang;
  describe(app, shell, lang);
  std::reverse(words.begin(), words.end());  // CLI11 takes them from the back
  try {
    app.parse(words);
  } catch (const CLI::Success&) {
    cli::print("{}", app.count("--version") > 0 ? lab::name_and_version() + "\n" : app.help());
    return kDone;
  } catch (const CLI::ParseError& error) {
    return shell.fail(usage_error(app, error), kUsage);
  }
  if (shell.dashes && !app.got_subcommand("trace")) return shell.fail({T::CliUnexpected, {"--"}}, kUsage);
  return shell.chosen ? shell.chosen() : kUsage;
}

}  // namespace

namespace {

int run_words(std::vector<std::string> words, Shell& shell) {
  split_at_dashes(words, shell);
  const lab::Result<lab::Language> language = language_of(words);
  if (!language) return shell.fail(language.error(), kUsage);
  shell.language = g_language = *language;
  if (words.empty() && !shell.dashes) return open_window(shell);
  // As desktops open files: driverlab FILE; a pipe is what a shell makes of driverlab <(…).
  std::error_code error;
  if (words.size() == 1 && !shell.dashes &&
      (std::filesystem::is_regular_file(words[0], error) || std::filesystem::is_fifo(words[0], error)))
    return open_window(shell, words[0]);
  return parse_and_run(std::move(words), shell);
}

// In words that take no memory.
int say_no_memory() {
  for (const std::string_view part :
       {std::string_view("driverlab: "), lab::text(T::CliNoMemory, g_language), std::string_view("\n")})
    put(stderr, part);
  return kNo;
}

// The standard library looks into folders in functions that let no exception out: nothing is left of it then.
thread_local bool g_memory_ran_out = false;

void note_no_memory() {
  g_memory_ran_out = true;
  throw std::bad_alloc();
}

// Where memory runs out in a destructor, as in those of JSON values, no exception arrives at run().
[[noreturn]] void end_at_once() {
  if (g_memory_ran_out && std::current_exception() == nullptr) ::_exit(say_no_memory());
  try {
    if (const std::exception_ptr last = std::current_exception()) std::rethrow_exception(last);
  } catch (const std::bad_alloc&) {
    ::_exit(say_no_memory());
  } catch (...) {
    std::abort();  // a mistake of ours, which shows where
  }
  std::abort();
}

}  // namespace

int run(int argc, char** argv, const FrontEnd& front_end) {
  Shell shell;
  shell.front_end = &front_end;
  shell.language = g_language = lab::language_from_environment();
  std::set_terminate(end_at_once);
  std::set_new_handler(note_no_memory);
  int status = kNo;
  try {
    status = run_words({argv + (argc > 0 ? 1 : 0), argv + argc}, shell);
  } catch (const std::bad_alloc&) {
    status = say_no_memory();
  } catch (const std::system_error& error) {  // of fmt, where the window's code prints
    status =
        shell.fail({T::CliCannotWrite, {shell.text(T::CliStandardOutput), error.code().message()}}, kUsage);
  }
  if (const int error = output_error(); error != 0) {
    if (error != EPIPE)  // a reader that has closed the output needs no message
      shell.complain(T::CliCannotWrite, {shell.text(T::CliStandardOutput), std::strerror(error)});
    if (status == kDone) status = kUsage;
  }
  return status;
}

}  // namespace cli

// SPDX-License-Identifier: MIT
// What every subcommand receives: the reader's language, the front end, and functions for printing. A
// subcommand's file declares its options in add_<name>() and registers a function that does the work.
#pragma once
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cli/command_line.hpp"
#include "lab/catalogue.hpp"
#include "lab/installation.hpp"

namespace CLI {
class App;
}

namespace cli {

// Exit statuses of the lab itself. A lesson's own status is passed through, a crash is 128 + signal.
enum Status : int {
  kDone = 0,
  kNo = 1,       // a negative result: of check or doctor, or a recording that is not complete
  kUsage = 2,    // a mistake in the command line, or in a lesson or file that it names
  kNotHere = 3,  // this machine or this build lacks something
  kStoppedByLimit = 124,
  kNotStarted = 125,  // the program could not be built or started
  kInterrupted = 130,
};

struct Shell {
  lab::Language language = lab::Language::English;
  const FrontEnd* front_end = nullptr;
  std::vector<std::string> after_dashes;  // what followed `--`
  bool dashes = false;                    // there was a `--`
  std::function<int()> chosen;            // set by the subcommand that was named

  std::string text(lab::Text key, const std::vector<std::string>& values = {}) const;
  void say(lab::Text key, const std::vector<std::string>& values = {}) const;       // a line on stdout
  void complain(lab::Text key, const std::vector<std::string>& values = {}) const;  // a line on stderr
  void complain(const lab::Problem& problem) const;
  int fail(const lab::Problem& problem, int status) const;
};

// Options that several subcommands have.
struct DriverOption {
  std::string word = "auto";
  lab::Result<lab::DriverChoice> parse() const;
};
lab::Result<int> parse_number(std::string_view option, std::string_view word, int least, int most);

// The lessons of this installation; prints what is wrong with lessons that could not be read.
struct Lessons {
  lab::Installation installation;
  lab::Catalogue catalogue;
};
lab::Result<Lessons> open_lessons();
lab::Result<lab::Lesson> find_lesson(const Lessons& lessons, const std::string& name);

// All output goes through here. If a stream cannot be written, only the output is lost, and not the run: a
// failure of standard output is reported once, and in the lab's exit status. See run().
void put(std::FILE* stream, std::string_view text);
template <class... Values>
void print(std::FILE* stream, fmt::format_string<Values...> form, Values&&... values) {
  put(stream, fmt::format(form, std::forward<Values>(values)...));
}
template <class... Values>
void print(fmt::format_string<Values...> form, Values&&... values) {
  put(stdout, fmt::format(form, std::forward<Values>(values)...));
}
int output_error();  // flushes standard output; its errno if it could not be written, else 0

bool colour_wanted(int descriptor);
// Control characters and invalid UTF-8 become visible \xNN, so that no output controls the terminal.
std::string printable(std::string_view text);
// Columns on a terminal; Chinese characters take two.
std::size_t columns(std::string_view text);
std::string padded(std::string_view text, std::size_t width);

void add_list(CLI::App& app, Shell& shell);
void add_run(CLI::App& app, Shell& shell);
void add_trace(CLI::App& app, Shell& shell);
void add_replay(CLI::App& app, Shell& shell);
void add_compare(CLI::App& app, Shell& shell);
void add_shot(CLI::App& app, Shell& shell);
void add_progress(CLI::App& app, Shell& shell);
void add_teach(CLI::App& app, Shell& shell);
void add_handout(CLI::App& app, Shell& shell);
void add_export(CLI::App& app, Shell& shell);
void add_check(CLI::App& app, Shell& shell);
void add_doctor(CLI::App& app, Shell& shell);
void add_serve(CLI::App& app, Shell& shell);
void add_describe(CLI::App& app, Shell& shell);
// A subcommand with its texts: one line for the list, and --help in the reader's language.
CLI::App* subcommand(CLI::App& app, Shell& shell, const std::string& name, lab::Text description,
                     std::function<int()> act);
// One with options, which live as long as the subcommand and are passed to `act`.
template <class Options, class Act>
std::pair<CLI::App*, Options*> subcommand(CLI::App& app, Shell& shell, const std::string& name,
                                          lab::Text description, Act act) {
  const auto options = std::make_shared<Options>();
  const auto act_on_options = [&shell, options, act] { return act(shell, *options); };
  return {subcommand(app, shell, name, description, act_on_options), options.get()};
}

}  // namespace cli

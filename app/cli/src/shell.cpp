// SPDX-License-Identifier: MIT
// See shell.hpp: how subcommands print output and errors, and the values of options that several of them
// share. Does not depend on a subcommand.
#include "shell.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <unistd.h>
#include <CLI/CLI.hpp>

namespace cli {
namespace {

int g_output_error = 0;

// Length of the UTF-8 character at the start, 0 where there is none; `code` receives it.
std::size_t decode(std::string_view text, char32_t& code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (text.empty()) return 0;
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (length == 0 || first > 0xf4 || text.size() < length) return 0;
  code = length == 1 ? first : first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = (code << 6) | (byte(i) & 0x3f);
  }
  const bool too_short = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  return too_short || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff) ? 0 : length;
}

bool steers_the_terminal(char32_t code) {
  return (code < 0x20 && code != '\t') || (code >= 0x7f && code < 0xa0) ||
         (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
}

bool takes_two_columns(char32_t code) {
  return (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
         (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
         (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
         (code >= 0xffe0 && code <= 0xffe6) || (code >= 0x20000 && code <= 0x3fffd);
}

}  // namespace

void put(std::FILE* stream, std::string_view text) {
  if (stream == stdout && g_output_error != 0) return;
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() || stream != stdout) return;
  g_output_error = errno != 0 ? errno : EIO;
}

int output_error() {
  errno = 0;
  if (g_output_error == 0 && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0))
    g_output_error = errno != 0 ? errno : EIO;
  return g_output_error;
}

std::string Shell::text(lab::Text key, const std::vector<std::string>& values) const {
  return lab::text(key, language, values);
}
void Shell::say(lab::Text key, const std::vector<std::string>& values) const {
  cli::print(stdout, "{}\n", text(key, values));
}
void Shell::complain(lab::Text key, const std::vector<std::string>& values) const {
  complain(lab::Problem{key, values});
}
void Shell::complain(const lab::Problem& problem) const {
  (void)output_error();  // flushes earlier output, so that it comes first
  cli::print(stderr, "driverlab: {}\n", printable(problem.in(language)));
}
int Shell::fail(const lab::Problem& problem, int status) const {
  complain(problem);
  return status;
}

lab::Result<lab::DriverChoice> DriverOption::parse() const {
  if (const auto choice = lab::parse_driver(word)) return *choice;
  return lab::problem(lab::Text::CliWrongChoice, {"--driver", word, "embedded, real, auto"});
}

lab::Result<int> parse_number(std::string_view option, std::string_view word, int least, int most) {
  int value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc{} && end == word.data() + word.size() && value >= least && value <= most)
    return value;
  return lab::problem(lab::Text::CliWrongNumber,
                      {std::string(option), std::string(word), std::to_string(least), std::to_string(most)});
}

lab::Result<Lessons> open_lessons() {
  lab::Result<lab::Installation> installation = lab::find_installation();
  if (!installation) return tl::unexpected<lab::Problem>(installation.error());
  Lessons lessons{std::move(*installation), {}};
  lessons.catalogue = lab::read_catalogue(lessons.installation.lessons);
  return lessons;
}

lab::Result<lab::Lesson> find_lesson(const Lessons& lessons, const std::string& name) {
  return lessons.catalogue.find(name);
}

bool colour_wanted(int descriptor) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (no_colour != nullptr && *no_colour != '\0') return false;
  return isatty(descriptor) == 1 && terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    char32_t code = 0;
    const std::size_t length = decode(text, code);
    if (length == 0 || (steers_the_terminal(code) && code != '\n')) {
      const std::size_t shown = length == 0 ? 1 : length;
      for (std::size_t i = 0; i < shown; ++i)
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[i]));
      text.remove_prefix(shown);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::size_t columns(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    char32_t code = 0;
    const std::size_t length = decode(text, code);
    width += length != 0 && takes_two_columns(code) ? 2 : 1;
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return width;
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t is = columns(text);
  return std::string(text) + std::string(is < width ? width - is : 0, ' ');
}

CLI::App* subcommand(CLI::App& app, Shell& shell, const std::string& name, lab::Text description,
                     std::function<int()> act) {
  CLI::App* sub = app.add_subcommand(name, shell.text(description));
  sub->group(shell.text(lab::Text::CliHelpCommands));
  sub->option_defaults()->group(shell.text(lab::Text::CliHelpOptions));
  sub->set_help_flag("-h,--help", shell.text(lab::Text::CliHelpFlag))
      ->group(shell.text(lab::Text::CliHelpOptions));
  sub->callback([&shell, act = std::move(act)] { shell.chosen = act; });
  return sub;
}

}  // namespace cli

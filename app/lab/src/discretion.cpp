// SPDX-License-Identifier: MIT
// See lab/discretion.hpp. A path is known by where it begins; where it ends in a text that holds blanks
// nobody can know, so what follows a blank is text again.
#include "lab/discretion.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace lab {
namespace {

constexpr std::string_view kLeftOut = "…";
// The same on all machines, so they name nobody.
constexpr std::array<std::string_view, 12> kPublic{"usr", "lib",  "lib32", "lib64", "bin", "sbin",
                                                   "etc", "proc", "dev",   "sys",   "opt", "nix"};
// Where people have their files. In a text other words between strokes are left as they are: "a /b/ c".
constexpr std::array<std::string_view, 18> kPrivate{"home",   "root", "Users",  "tmp",  "var",     "mnt",
                                                    "media",  "srv",  "run",    "work", "scratch", "data",
                                                    "export", "gpfs", "lustre", "net",  "private", "afs"};

template <class Names>
bool begins_in(std::string_view path, const Names& names) {
  if (path.size() < 2 || path[0] != '/') return false;
  const std::string_view first = path.substr(1, path.find('/', 1) - 1);
  return std::find(names.begin(), names.end(), first) != names.end();
}

// All of the text is one path.
std::string name_of_path(const std::string& path) {
  if (path.empty() || path[0] != '/' || begins_in(path, kPublic)) return path;
  return std::string(kLeftOut) + path.substr(path.rfind('/'));
}

bool ends_a_path(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '"' || c == '\'' || c == ',' || c == ';' ||
         c == ')' || c == ']' || c == '>' || c == '<' || c == '|' || c == ':' || c == '\0';
}
bool may_stand_before_a_path(char c) {
  return ends_a_path(c) || c == '(' || c == '[' || c == '=' || c == '{' || c == '`';
}

// "/home/ann/bin/prog --key secret" -> "prog …"
std::string without_arguments(const std::string& command) {
  const std::size_t end = command.find(' ');
  std::string program = command.substr(0, end);
  program.erase(0, program.rfind('/') + 1);
  return end == std::string::npos ? program : program.append(" ").append(kLeftOut);
}

// A line a frame: function, file, line.
std::string without_folders_of_frames(const std::string& stack) {
  std::string out;
  for (std::size_t at = 0; at < stack.size();) {
    const std::size_t end = std::min(stack.find('\n', at), stack.size());
    const std::string line = stack.substr(at, end - at);
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (first == std::string::npos || second == std::string::npos)
      out += without_folders(line);
    else
      out += without_folders(line.substr(0, first)) + '\t' +
             name_of_path(line.substr(first + 1, second - first - 1)) + line.substr(second);
    if (end < stack.size()) out += '\n';
    at = end + 1;
  }
  return out;
}

}  // namespace

std::string without_folders(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t stroke = std::min(text.find('/', at), text.size());
    out += text.substr(at, stroke - at);
    at = stroke;
    if (at == text.size()) break;
    std::size_t end = at;
    while (end < text.size() && !ends_a_path(text[end])) ++end;
    const std::string_view path = text.substr(at, end - at);
    const bool begins = at == 0 || may_stand_before_a_path(text[at - 1]);
    if (begins && begins_in(path, kPrivate) && path.find('/', 1) != std::string_view::npos)
      out.append(kLeftOut).append(path.substr(path.rfind('/')));
    else
      out += path;
    at = end;
  }
  return out;
}

void leave_out_private(trace::Event& event) {
  switch (event.kind) {
    case trace::EventKind::Call:
      event.file = name_of_path(event.file);
      for (trace::Argument& argument : event.arguments)
        if (argument.text.find('/') != std::string::npos) argument.text = without_folders(argument.text);
      return;
    case trace::EventKind::ProcessStart:
      event.text = without_arguments(event.text);
      return;
    case trace::EventKind::ModuleMapped:
      event.text = name_of_path(event.text);
      return;
    case trace::EventKind::Stack:
      event.text = without_folders_of_frames(event.text);
      return;
    case trace::EventKind::Output:
      event.text = without_folders(event.text);
      return;
    case trace::EventKind::ThreadStart:
    case trace::EventKind::ThreadEnd:
    case trace::EventKind::ProcessEnd:
    case trace::EventKind::Lost:
      return;
  }
}

void leave_out_private(trace::RunInfo& info) {
  info.program = without_arguments(info.program);
  std::map<std::string, std::string> sources;
  for (auto& [name, text] : info.sources) sources.emplace(name_of_path(name), without_folders(text));
  info.sources = std::move(sources);
}

void copy_discreetly(const trace::Store& store, std::size_t from, std::size_t to, trace::Store& copy) {
  for (std::size_t i = from; i < to; ++i) {
    trace::Event event = store.at(i);
    leave_out_private(event);
    copy.append(event);
  }
}

}  // namespace lab

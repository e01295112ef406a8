// SPDX-License-Identifier: MIT
// See lab/discretion.hpp. A path is recognised by its beginning. Its end cannot be known if it contains
// blanks, so what follows a blank counts as text again.
#include "lab/discretion.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace lab {
namespace {

constexpr std::string_view kLeftOut = "…";
// The same on all machines, so they contain no personal names.
constexpr std::array<std::string_view, 12> kPublic{"usr", "lib",  "lib32", "lib64", "bin", "sbin",
                                                   "etc", "proc", "dev",   "sys",   "opt", "nix"};
// Where people have their files.
constexpr std::array<std::string_view, 18> kPrivate{"home",   "root", "Users",  "tmp",  "var",     "mnt",
                                                    "media",  "srv",  "run",    "work", "scratch", "data",
                                                    "export", "gpfs", "lustre", "net",  "private", "afs"};

template <class Names>
bool is_among(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string name_behind_folders(std::string_view path) {
  return std::string(kLeftOut).append(path.substr(path.rfind('/')));
}

// The whole text is one path. A path below the current folder stays as it is.
std::string name_of_path(const std::string& path) {
  const bool elsewhere = path.starts_with("../") || (path.starts_with('~') && path.find('/') != path.npos);
  const bool absolute = path.starts_with('/') && !is_among(path.substr(1, path.find('/', 1) - 1), kPublic);
  return elsewhere || absolute ? name_behind_folders(path) : path;
}

bool ends_a_path(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '"' || c == '\'' || c == ',' || c == ';' ||
         c == ')' || c == ']' || c == '>' || c == '<' || c == '|' || c == ':' || c == '\0';
}
bool may_stand_before_a_path(char c) {
  return ends_a_path(c) || c == '(' || c == '[' || c == '=' || c == '{' || c == '`';
}

// An unknown folder below the root, but not a part between other slashes: "(a+b)/block/2".
bool may_be_a_root(std::string_view name, char before) {
  if (before == ')' || before == ']' || before == '>' || name.size() < 2 || is_among(name, kPublic))
    return false;
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  return is_letter(name[0]) && std::all_of(name.begin(), name.end(), [&](char c) {
           return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '+';
         });
}

// A word that begins like a path. In a source, "../" is part of an include, and "~" is an operator.
std::string shortened(std::string_view word, char before, bool source) {
  const std::string_view below = word.substr(std::min(word.find_first_not_of('/'), word.size()));
  const std::size_t strokes = word.size() - below.size(), end = below.find('/');
  if (end == std::string_view::npos || end + 1 == below.size()) return std::string(word);
  const std::string_view first = below.substr(0, end);
  if (strokes == 0) {
    const bool home = first == "~" || (!source && first[0] == '~');
    const bool climbs = !source && first == ".." && below.find_first_not_of("./") < below.rfind('/');
    return home || climbs ? name_behind_folders(word) : std::string(word);
  }
  const bool is_private = is_among(first, kPrivate) || (strokes == 1 && may_be_a_root(first, before));
  if (!is_private || (strokes == 2 && before == ':')) return std::string(word);
  return (strokes > 1 ? "//" : "") + name_behind_folders(word);
}

std::string without_folders_in(std::string_view text, bool source) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const char before = at == 0 ? '\0' : text[at - 1];
    const bool begins = text[at] == '/' || text[at] == '~' || text.substr(at, 3) == "../";
    if (!begins || !may_stand_before_a_path(before)) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && !ends_a_path(text[end])) ++end;
    out += shortened(text.substr(at, end - at), before, source);
    at = end;
  }
  return out;
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
  return without_folders_in(text, false);
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
  // If two files then have the same name, neither may be taken for the other.
  std::map<std::string, std::string> sources;
  std::map<std::string, int> times;
  for (const auto& [name, text] : info.sources) ++times[name_of_path(name)];
  for (const auto& [name, text] : info.sources)
    if (std::string kept = name_of_path(name); times[kept] == 1)
      sources.emplace(std::move(kept), without_folders_in(text, true));
  info.sources = std::move(sources);
}

void copy_discreetly(const trace::Store& store, std::size_t from, std::size_t to, trace::Store& copy) {
  for (std::size_t i = from; i < to; ++i) {
    trace::Event event = store.at(i);
    leave_out_private(event);
    copy.append(event);
  }
  for (std::size_t i = copy.work_times(); i < store.work_times(); ++i) copy.append(store.work_time_at(i));
}

}  // namespace lab

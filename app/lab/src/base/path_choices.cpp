// SPDX-License-Identifier: MIT
// See lab/path_choices.hpp. A folder that cannot be read has no choices: the user is told when the path is
// opened.
#include "lab/path_choices.hpp"
#include "lab/letters.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <system_error>
#include <tuple>

namespace lab {
namespace {

constexpr std::size_t kMostRecentOffered = 12;
constexpr std::size_t kMostLookedAt = 20'000;  // entries of a folder

bool is_named_as_recording(const std::filesystem::path& file) {
  return file.extension() == ".dlrec" || file.extension() == ".trace";
}

}  // namespace

std::filesystem::path typed_path(std::string_view typed) {
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home != '\0' && (typed == "~" || typed.starts_with("~/")))
    return std::filesystem::path(home) / (typed.size() > 2 ? typed.substr(2) : std::string_view());
  return typed;
}

std::vector<PathChoice> path_choices(std::string_view typed, std::size_t most) {
  std::vector<PathChoice> choices;
  const std::filesystem::path whole = typed_path(typed);
  const std::string begin = whole.filename().string();
  const std::filesystem::path folder = whole.has_parent_path() ? whole.parent_path() : ".";
  std::error_code error;
  std::size_t looked_at = 0;
  for (std::filesystem::directory_iterator at(folder, error), end;
       !error && at != end && looked_at < kMostLookedAt; at.increment(error), ++looked_at) {
    PathChoice choice{.name = at->path().filename().string(), .path = at->path()};
    if (!begins_with(choice.name, begin) || (begin.empty() && choice.name.front() == '.')) continue;
    std::error_code unknown;
    choice.folder = at->is_directory(unknown);
    if (choice.folder || (is_named_as_recording(choice.path) && at->is_regular_file(unknown)))
      choices.push_back(std::move(choice));
  }
  std::sort(choices.begin(), choices.end(), [](const PathChoice& a, const PathChoice& b) {
    return std::tuple(!a.folder, a.name) < std::tuple(!b.folder, b.name);
  });
  if (choices.size() > most) choices.resize(most);
  return choices;
}

bool is_program(const std::filesystem::path& file) {
  std::error_code error;
  return std::filesystem::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

bool is_source(const std::filesystem::path& file) {
  static const std::set<std::string> kEndings = {".c", ".cc", ".cpp", ".cxx", ".cu",
                                                 ".h", ".hh", ".hpp", ".cuh", ".ptx"};
  return kEndings.contains(file.extension().string());
}

std::string quoted_word(const std::string& word) {
  if (!word.empty() && word.find_first_of(" \t\n'\"\\") == std::string::npos) return word;
  std::string quoted = "\"";
  for (const char c : word) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

void note_recent(std::vector<std::string>& recent, const std::filesystem::path& file) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(file, error);
  const std::string name = (error ? file : absolute).lexically_normal().string();
  std::erase(recent, name);
  recent.insert(recent.begin(), name);
  if (recent.size() > kMostRecentOffered) recent.resize(kMostRecentOffered);
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// What can follow a path that is being typed: the folders and recordings whose names begin with its last
// part. And the list of files that were opened last.
#pragma once
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace lab {

// "~/" at the beginning is the user's home.
std::filesystem::path typed_path(std::string_view typed);

struct PathChoice {
  std::string name;  // of the file or folder alone
  std::filesystem::path path;
  bool folder = false;
};
// Folders first, both by name, at most `most`. Names that begin with a dot are found only if a dot is typed.
std::vector<PathChoice> path_choices(std::string_view typed, std::size_t most);

// A file that the user can start as a program.
bool is_program(const std::filesystem::path& file);

// Source code, by the name: a program is to be built from it first.
bool is_source(const std::filesystem::path& file);

// As one word of a command, quoted as in a shell if it needs it.
std::string quoted_word(const std::string& word);

// Puts the file, by its absolute path, first in the list, where it stands once; the oldest are left out.
void note_recent(std::vector<std::string>& recent, const std::filesystem::path& file);

}  // namespace lab

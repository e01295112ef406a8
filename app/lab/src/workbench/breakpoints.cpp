// SPDX-License-Identifier: MIT
// See breakpoints.hpp.
#include "workbench/breakpoints.hpp"

#include "base/moved_lines.hpp"

namespace lab {

const std::set<int>& Breakpoints::lines(const std::string& file) const {
  static const std::set<int> none;
  const auto found = lines_.find(file);
  return found == lines_.end() ? none : found->second;
}

void Breakpoints::toggle(const std::string& file, int line) {
  if (line < 1) return;
  std::set<int>& lines = lines_[file];
  if (!lines.insert(line).second) lines.erase(line);
}

bool Breakpoints::move(const std::string& file, std::string_view before, std::string_view after) {
  const auto found = lines_.find(file);
  if (found == lines_.end()) return false;
  found->second = moved_lines(found->second, before, after);
  return true;
}

std::set<Breakpoint> Breakpoints::all() const {
  std::set<Breakpoint> all;
  for (const auto& [file, lines] : lines_)
    for (const int line : lines) all.insert({file, line});
  return all;
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// The breakpoints in the files of the open lesson, as lines of the text that is in the editor. A part of the
// workbench. They move with the text when it is edited (moved_lines.hpp).
#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "lab/session.hpp"

namespace lab {

class Breakpoints {
 public:
  const std::set<int>& lines(const std::string& file) const;  // 1-based
  void toggle(const std::string& file, int line);             // lines below 1 are ignored
  // True if the file has, or had, breakpoints.
  bool move(const std::string& file, std::string_view before, std::string_view after);
  void clear() { lines_.clear(); }
  std::set<Breakpoint> all() const;

 private:
  std::map<std::string, std::set<int>> lines_;  // by file
};

}  // namespace lab

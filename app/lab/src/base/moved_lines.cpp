// SPDX-License-Identifier: MIT
// See moved_lines.hpp.
#include "base/moved_lines.hpp"

#include <algorithm>

namespace lab {
namespace {

int ends(std::string_view text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::set<int> moved_lines(const std::set<int>& lines, std::string_view before, std::string_view after) {
  const int by = ends(after) - ends(before);
  if (lines.empty() || by == 0) return lines;
  const auto [first, other] = std::mismatch(before.begin(), before.end(), after.begin(), after.end());
  auto begin = static_cast<std::size_t>(first - before.begin());
  // A line is changed from its beginning on: a line put above a mark is not a change of the mark's line.
  const std::string_view same = before.substr(0, begin);
  const bool at_line_start = begin == 0 || before[begin - 1] == '\n';
  const int first_line = ends(same) + 1;
  std::size_t tail = 0;
  const std::size_t most = std::min(before.size(), after.size()) - begin;
  while (tail < most && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const int last_line = first_line + ends(before.substr(begin, before.size() - tail - begin));
  std::set<int> moved;
  for (const int line : lines) {
    const bool behind = line > last_line || (line == last_line && (at_line_start || last_line > first_line));
    if (line < first_line || (line == first_line && !behind))
      moved.insert(line);
    else
      moved.insert(behind ? std::max(first_line, line + by) : first_line);
  }
  return moved;
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// Two texts compared line by line: which lines are in both, and which in only one. Pure; used for texts of
// sources and, with a call a line, to match two runs.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace lab {

struct DifferenceLine {
  enum class Kind { Same, Removed, Added } kind = Kind::Same;
  int before = 0, after = 0;  // 1-based; 0 where the line is not in that text
  std::string text;
  bool operator==(const DifferenceLine&) const = default;
};
// The fewest removed and added lines, removed ones first. Where the texts differ over more than a few
// thousand lines, the whole stretch counts as replaced.
std::vector<DifferenceLine> difference_of(std::string_view before, std::string_view after);

}  // namespace lab

// SPDX-License-Identifier: MIT
// The new numbers of marked lines after an edit: marks after the place that changed move with the text.
//
// They are found from the two texts alone, so this works for typing, undo, and a file that another program
// wrote.
#pragma once
#include <set>
#include <string_view>

namespace lab {

// 1-based lines. A mark on a line that the edit removed stays at the place of the edit.
std::set<int> moved_lines(const std::set<int>& lines, std::string_view before, std::string_view after);

}  // namespace lab

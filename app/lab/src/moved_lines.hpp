// SPDX-License-Identifier: MIT
// Where marked lines stand after an edit: marks behind the place that changed move with the text.
//
// Found from the two texts alone, so that it holds for typing, undo, and a file that another program wrote.
#pragma once
#include <set>
#include <string_view>

namespace lab {

// 1-based lines. A mark on a line that the edit took away stays at the edit's place.
std::set<int> moved_lines(const std::set<int>& lines, std::string_view before, std::string_view after);

}  // namespace lab

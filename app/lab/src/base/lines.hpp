// SPDX-License-Identifier: MIT
// Cuts a text into its lines, whatever ends them.
#pragma once
#include <string_view>
#include <vector>

namespace lab {

// Without what ends them: a line feed, or a carriage return and a line feed. The last line may end with the
// text.
inline std::vector<std::string_view> lines_in(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n') == std::string_view::npos ? text.size() : text.find('\n');
    std::string_view line = text.substr(0, end);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end < text.size() ? end + 1 : end);
  }
  return lines;
}

}  // namespace lab

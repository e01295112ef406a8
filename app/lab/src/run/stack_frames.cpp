// SPDX-License-Identifier: MIT
// The text of frames: a line each, function, file and line with tabs between them. driverlab-lines writes it,
// and events of the kind Stack hold it.
#include <algorithm>
#include <charconv>

#include "lab/source_lines.hpp"

namespace lab {

// None of its parts may contain the separators.
void add_frame(std::string& text, const StackFrame& frame) {
  for (std::string part : {frame.function, frame.file}) {
    std::replace_if(part.begin(), part.end(), [](char c) { return c == '\t' || c == '\n'; }, ' ');
    text += part + '\t';
  }
  if (frame.line > 0) text += std::to_string(frame.line);
  text += '\n';
}

std::vector<StackFrame> stack_frames(std::string_view text) {
  constexpr std::size_t kMostFrames = 1000;
  std::vector<StackFrame> frames;
  while (!text.empty() && frames.size() < kMostFrames) {
    const std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), one.size() + 1));
    const std::size_t first = one.find('\t'), second = one.find('\t', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) continue;
    StackFrame frame{std::string(one.substr(0, first)),
                     std::string(one.substr(first + 1, second - first - 1)), 0};
    std::from_chars(one.data() + second + 1, one.data() + one.size(), frame.line);
    frames.push_back(std::move(frame));
  }
  return frames;
}

}  // namespace lab

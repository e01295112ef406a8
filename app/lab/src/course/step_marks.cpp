// SPDX-License-Identifier: MIT
// Finds the place of each step of a lesson in its source and in its notes. Works on text only: of C++ and
// Markdown it understands only the line of the mark.
#include "lab/catalogue.hpp"

namespace lab {
namespace {

std::string_view trim(std::string_view s) {
  constexpr std::string_view kBlank = " \t\r";
  const auto first = s.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(kBlank) - first + 1);
}

// The name between `open` and `close`, or "" when the line is no mark.
std::string_view marked_name(std::string_view line, std::string_view open, std::string_view close) {
  line = trim(line);
  if (line.substr(0, open.size()) != open) return {};
  line = trim(line.substr(open.size()));
  constexpr std::string_view kWord = "step:";
  if (line.substr(0, kWord.size()) != kWord) return {};
  line.remove_prefix(kWord.size());
  if (line.size() < close.size() || line.substr(line.size() - close.size()) != close) return {};
  line.remove_suffix(close.size());
  return trim(line);
}

std::vector<StepMark> marks(std::string_view file, std::string_view text, std::string_view open,
                            std::string_view close) {
  std::vector<StepMark> found;
  int number = 0;
  while (!text.empty()) {
    ++number;
    const auto end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    const std::string_view name = marked_name(line, open, close);
    if (!name.empty()) {
      if (!found.empty()) found.back().last_line = number - 1;
      found.push_back({std::string(name), std::string(file), number, number});
    }
  }
  if (!found.empty()) found.back().last_line = number;
  return found;
}

}  // namespace

std::vector<StepMark> step_marks_in_source(std::string_view file, std::string_view source_text) {
  return marks(file, source_text, "//", "");
}

std::vector<StepMark> step_marks_in_notes(std::string_view notes_text) {
  return marks("", notes_text, "<!--", "-->");
}

const StepMark* step_at(const std::vector<StepMark>& marks, std::string_view file, int line) {
  for (const StepMark& mark : marks)
    if (mark.file == file && mark.first_line <= line && line <= mark.last_line) return &mark;
  return nullptr;
}

std::optional<std::size_t> StepsOfRun::next(const std::vector<StepMark>& marks, std::uint32_t thread,
                                            std::string_view file, int line) {
  if (const StepMark* mark = step_at(marks, file, line)) {
    last_ = static_cast<std::size_t>(mark - marks.data());
    last_of_thread_[thread] = *last_;
    return last_;
  }
  const auto known = last_of_thread_.find(thread);
  return known != last_of_thread_.end() ? std::optional(known->second) : last_;
}

}  // namespace lab

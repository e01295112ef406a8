// SPDX-License-Identifier: MIT
// See run_text.hpp.
#include "workbench/run_text.hpp"

#include <algorithm>
#include <utility>

#include "lab/text_difference.hpp"

namespace lab {

void RunText::set(Sources sources) {
  sources_ = std::move(sources);
  lines_now_.clear(), expected_.clear();
}

std::vector<std::string> RunText::files() const {
  std::vector<std::string> files;
  for (const std::string& file : now_.names())
    if (sources_.contains(file)) files.push_back(file);
  for (const auto& [file, text] : sources_)
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  return files;
}

bool RunText::changed(const std::string& file) const {
  const auto now = now_.texts().find(file);
  const auto ran = sources_.find(file);
  return ran != sources_.end() && now != now_.texts().end() &&
         now_.in_language_of_now(file, ran->second) != now->second;
}

// Where each line of the run's text is now; 0: nowhere.
const std::vector<int>& RunText::lines_now(const std::string& file) {
  const auto [known, fresh] = lines_now_.try_emplace(file);
  std::vector<int>& lines = known->second;
  if (fresh)
    for (const DifferenceLine& each :
         difference_of(now_.in_language_of_now(file, sources_.at(file)), now_.texts().at(file)))
      if (each.before > 0) lines.push_back(each.kind == DifferenceLine::Kind::Same ? each.after : 0);
  return lines;
}

int RunText::line_now(const std::string& file, int line) {
  if (line <= 0 || !changed(file)) return line;
  const std::vector<int>& lines = lines_now(file);
  return static_cast<std::size_t>(line) <= lines.size() ? lines[static_cast<std::size_t>(line) - 1] : 0;
}

std::set<Breakpoint> RunText::lines_of_run(const std::set<Breakpoint>& now) {
  std::set<Breakpoint> all;
  for (Breakpoint each : now) {
    if (changed(each.file)) {
      const std::vector<int>& lines = lines_now(each.file);
      const auto found = std::find(lines.begin(), lines.end(), each.line);
      if (found == lines.end()) continue;  // the program has no such line
      each.line = static_cast<int>(found - lines.begin()) + 1;
    }
    all.insert(each);
  }
  return all;
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// The part of the workbench for a source that was edited after the run: which line of the run is which line
// now, and what the program's own text says about its calls. Part of Workbench (workbench.hpp).
#include <algorithm>
#include <functional>

#include "lab/text_difference.hpp"
#include "workbench_impl.hpp"

namespace lab {

bool Workbench::Impl::changed_since_run(const std::string& file) const {
  const auto& texts = open_files.texts();
  const auto now = texts.find(file);
  const auto ran = run_sources.find(file);
  return !replay && ran != run_sources.end() && now != texts.end() &&
         open_files.in_language_of_now(file, ran->second) != now->second;
}

const std::vector<int>& Workbench::Impl::lines_of_run(const std::string& file) {
  const auto [known, fresh] = lines_now.try_emplace(file);
  std::vector<int>& lines = known->second;
  if (fresh)
    for (const DifferenceLine& each : difference_of(open_files.in_language_of_now(file, run_sources.at(file)),
                                                    open_files.texts().at(file)))
      if (each.before > 0) lines.push_back(each.kind == DifferenceLine::Kind::Same ? each.after : 0);
  return lines;
}

// The breakpoints of the running program, which was built from another text than the one in the editor.
std::set<Breakpoint> Workbench::Impl::breakpoints_of_run() {
  std::set<Breakpoint> all;
  for (const Breakpoint& now : all_breakpoints()) {
    Breakpoint then = now;
    if (changed_since_run(now.file)) {
      const std::vector<int>& lines = lines_of_run(now.file);
      const auto found = std::find(lines.begin(), lines.end(), now.line);
      if (found == lines.end()) continue;  // the program has no such line
      then.line = static_cast<int>(found - lines.begin()) + 1;
    }
    all.insert(then);
  }
  return all;
}

bool Workbench::changed_since_run(const std::string& file) const {
  return impl_->changed_since_run(file);
}

int Workbench::line_now(const std::string& file, int line) const {
  if (line <= 0 || !changed_since_run(file)) return line;
  const std::vector<int>& lines = impl_->lines_of_run(file);
  return static_cast<std::size_t>(line) <= lines.size() ? lines[static_cast<std::size_t>(line) - 1] : 0;
}

bool Workbench::expected_failure(std::size_t event) const {
  const trace::Store& store = impl_->store();
  if (event >= store.size() || store.kind_at(event) != trace::EventKind::Call || store.result_at(event) == 0)
    return false;
  return impl_->expected_failures.asks_for(store.at(event), impl_->run_sources);
}

std::string Workbench::file_of(std::string_view recorded) const {
  if (recorded.empty()) return {};
  const auto found = find_recorded(files(), recorded, std::identity());
  return found == files().end() ? std::string() : *found;
}

std::string Workbench::variable(const trace::Event& call, std::size_t argument) const {
  return variable_in(impl_->run_sources, call, argument);
}

}  // namespace lab

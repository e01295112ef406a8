// SPDX-License-Identifier: MIT
// The workbench's texts: breakpoints in the editor's (breakpoints.hpp), and what the run's text says
// (run_text.hpp, run_steps.hpp). Part of Workbench (workbench.hpp).
#include <functional>

#include "workbench/workbench_impl.hpp"

namespace lab {

// The running program was built from another text than the one in the editor. A recording has a text of its
// own, which is the one that is shown.
std::set<Breakpoint> Workbench::Impl::breakpoints_of_run() {
  return shown.recording() ? lesson.breakpoints().all()
                           : shown.text().lines_of_run(lesson.breakpoints().all());
}

void Workbench::Impl::tell_breakpoints() {
  if (shown.session()) shown.session()->set_breakpoints(breakpoints_of_run());
}

const std::set<int>& Workbench::breakpoints(const std::string& file) const {
  return impl_->lesson.breakpoints().lines(file);
}
void Workbench::toggle_breakpoint(const std::string& file, int line) {
  impl_->lesson.breakpoints().toggle(file, line);
  impl_->tell_breakpoints();
}

bool Workbench::changed_since_run(const std::string& file) const {
  return !impl_->shown.recording() && impl_->shown.text().changed(file);
}
int Workbench::line_now(const std::string& file, int line) const {
  return impl_->shown.recording() ? line : impl_->shown.text().line_now(file, line);
}

bool Workbench::expected_failure(std::size_t event) const {
  return impl_->shown.expected_failure(event);
}

std::string Workbench::file_of(std::string_view recorded) const {
  if (recorded.empty()) return {};
  const auto found = find_recorded(files(), recorded, std::identity());
  return found == files().end() ? std::string() : *found;
}

std::string Workbench::variable(const trace::Event& call, std::size_t argument) const {
  return variable_in(impl_->shown.text().sources(), call, argument);
}

std::optional<std::string> Workbench::step_name() const {
  return impl_->shown.step_name();
}

const std::vector<Workbench::StepStart>& Workbench::step_starts() const {
  return impl_->shown.steps().starts(impl_->shown.store(), impl_->shown.cursor().known_calls());
}
std::vector<std::size_t> Workbench::calls_of_step(const std::string& step) const {
  return impl_->shown.steps().calls_of(step, impl_->shown.store(), impl_->shown.cursor().known_calls());
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// The workbench's texts: breakpoints in the editor's (breakpoints.hpp), and what the run's text says
// (run_text.hpp, run_steps.hpp). Part of Workbench (workbench.hpp).
#include <functional>
#include <utility>

#include "workbench/workbench_impl.hpp"

namespace lab {

void Workbench::Impl::set_run_text(Sources sources) {
  run_text.set(std::move(sources));
  run_steps.begin();
}

// The running program was built from another text than the one in the editor. A recording has a text of its
// own, which is the one that is shown.
std::set<Breakpoint> Workbench::Impl::breakpoints_of_run() {
  return replay ? lesson.breakpoints().all() : run_text.lines_of_run(lesson.breakpoints().all());
}

void Workbench::Impl::tell_breakpoints() {
  if (session) session->set_breakpoints(breakpoints_of_run());
}

const std::set<int>& Workbench::breakpoints(const std::string& file) const {
  return impl_->lesson.breakpoints().lines(file);
}
void Workbench::toggle_breakpoint(const std::string& file, int line) {
  impl_->lesson.breakpoints().toggle(file, line);
  impl_->tell_breakpoints();
}

bool Workbench::changed_since_run(const std::string& file) const {
  return !impl_->replay && impl_->run_text.changed(file);
}
int Workbench::line_now(const std::string& file, int line) const {
  return impl_->replay ? line : impl_->run_text.line_now(file, line);
}

bool Workbench::expected_failure(std::size_t event) const {
  const trace::Store& store = impl_->store();
  if (event >= store.size() || store.kind_at(event) != trace::EventKind::Call || store.result_at(event) == 0)
    return false;
  return impl_->run_text.expected_failure(store.at(event));
}

std::string Workbench::file_of(std::string_view recorded) const {
  if (recorded.empty()) return {};
  const auto found = find_recorded(files(), recorded, std::identity());
  return found == files().end() ? std::string() : *found;
}

std::string Workbench::variable(const trace::Event& call, std::size_t argument) const {
  return variable_in(impl_->run_text.sources(), call, argument);
}

std::optional<std::string> Workbench::step_name() const {
  const std::size_t calls = call_at_cursor();
  if (calls > 0)
    if (const auto step = impl_->run_steps.step_of(calls - 1, impl_->store(), impl_->cursor.known_calls());
        step.known)
      return step.name;
  // Before the first call: the place where it will be made; the same for a moment in a long run that was just
  // opened.
  const Place here = place(calls == 0);
  return impl_->run_steps.step_at_line(here.file, here.line);
}

const std::vector<Workbench::StepStart>& Workbench::step_starts() const {
  return impl_->run_steps.starts(impl_->store(), impl_->cursor.known_calls());
}
std::vector<std::size_t> Workbench::calls_of_step(const std::string& step) const {
  return impl_->run_steps.calls_of(step, impl_->store(), impl_->cursor.known_calls());
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// The workbench's time: how far the run is, where the cursor is in it (cursor.hpp), and what the transport
// buttons do. Part of Workbench (workbench.hpp).
#include "workbench/workbench_impl.hpp"

namespace lab {

RunPhase Workbench::phase() const {
  if (impl_->builds.building()) return RunPhase::Building;
  if (impl_->shown.recording()) return RunPhase::Replaying;
  if (impl_->builds.failed()) return RunPhase::BuildFailed;
  if (!impl_->shown.session()) return RunPhase::Idle;
  // For the user, it has ended when its last event is in the picture.
  if (impl_->shown.ended()) return RunPhase::Ended;
  return impl_->shown.held() ? RunPhase::Held : RunPhase::Running;
}

bool Workbench::loading() const {
  return impl_->shown.recording() && !impl_->shown.recording()->taken;
}

const BuildResult* Workbench::build() const {
  return impl_->builds.result();
}

std::optional<RunEnd> Workbench::end() const {
  return impl_->shown.end();
}

std::vector<trace::Pending> Workbench::pending() const {
  return impl_->shown.pending();
}

bool Workbench::poll() {
  const std::size_t said = impl_->problems.all().size();
  bool changed = impl_->drivers.poll();
  changed |= impl_->lesson.files().save_soon();
  changed |= impl_->take_build();
  changed |= impl_->take_recording();
  changed |= impl_->take_last_run();
  changed |= impl_->shown.fold();
  changed |= impl_->shown.cursor().return_to_moment();
  impl_->take_answers();
  changed |= impl_->take_second_run();
  impl_->take_end();
  changed |= impl_->take_program_sources();
  if (!impl_->read_only()) changed |= impl_->lesson.files().look_outside();
  changed |= impl_->progress_file.poll();
  const RunPhase now = phase();
  const std::size_t waiting = pending().size();
  changed |=
      said != impl_->problems.all().size() || now != impl_->last_phase || waiting != impl_->last_pending;
  impl_->last_phase = now;
  impl_->last_pending = waiting;
  return changed;
}

const trace::Store& Workbench::store() const {
  return impl_->shown.store();
}
const Model& Workbench::model() const {
  return impl_->shown.cursor().shown_model();
}
const Model& Workbench::model_of(std::size_t event) const {
  return impl_->shown.cursor().models().of_event(event);
}
const std::vector<ProcessSeen>& Workbench::processes() const {
  return impl_->shown.cursor().models().seen();
}
std::uint32_t Workbench::shown_process() const {
  return impl_->shown.cursor().process();
}
void Workbench::show_process(std::uint32_t process) {
  impl_->shown.cursor().show_process(process);
}
std::size_t Workbench::cursor() const {
  return impl_->shown.cursor().at();
}
bool Workbench::at_end() const {
  return impl_->shown.cursor().at_end();
}
void Workbench::jump(std::size_t moment) {
  impl_->shown.cursor().go_to(moment);
}
void Workbench::jump_to_call(std::size_t call) {
  impl_->shown.cursor().go_to_call(call);
}
bool Workbench::jump_line(Direction direction) {
  return impl_->shown.cursor().go_to_line(direction);
}
void Workbench::back() {
  impl_->shown.cursor().back();
}
const State& Workbench::state() const {
  return model().at(cursor());
}
std::size_t Workbench::call_at_cursor() const {
  return impl_->shown.cursor().calls();
}

void Workbench::step() {
  const std::size_t calls = call_at_cursor();
  if (calls < impl_->shown.cursor().known_calls()) return jump_to_call(calls);
  const bool was_at_end = impl_->shown.cursor().following();
  impl_->shown.cursor().go_to_end();
  switch (phase()) {
    case RunPhase::Idle:
    case RunPhase::BuildFailed:
      run(true);
      break;
    case RunPhase::Held:
      impl_->shown.session()->step_any();
      break;
    case RunPhase::Running:
      if (was_at_end) impl_->shown.session()->hold();
      break;
    case RunPhase::Building:
    case RunPhase::Ended:
    case RunPhase::Replaying:
      break;
  }
}

void Workbench::go_on() {
  const bool was_at_end = at_end();
  if (!was_at_end)
    if (const auto stop = impl_->shown.cursor().next_stop(impl_->breakpoints_of_run()))
      return jump(store().event_of_call(*stop));
  impl_->shown.cursor().go_to_end();
  switch (phase()) {
    case RunPhase::Idle:
    case RunPhase::BuildFailed:
      run(false);
      break;
    case RunPhase::Ended:
      if (was_at_end) run(false);
      break;
    case RunPhase::Held:
    case RunPhase::Running:
      impl_->shown.session()->run_on();
      break;
    case RunPhase::Building:
    case RunPhase::Replaying:
      break;
  }
}

Workbench::Place Workbench::place(bool next) const {
  return impl_->shown.place(next);
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// The workbench's time: the place of the cursor in the run, and what the transport buttons do.
//
// The cursor follows the run while it is at the newest moment. When the user goes back, the run goes on
// without being shown; going forward to its end makes the cursor follow it again.
#include <algorithm>

#include "workbench_impl.hpp"

namespace lab {

bool Workbench::Impl::held() const {
  if (!session || !session->running() || session->passing()) return false;
  const auto calls = session->pending();
  return std::any_of(calls.begin(), calls.end(), [](const trace::Pending& call) { return call.held; });
}

std::size_t Workbench::Impl::calls_at(std::size_t moment) const {
  return store().calls_before(std::min(moment, store().size()));
}

void Workbench::Impl::go_to(std::size_t moment) {
  cursor = std::min(moment, model->moments());
  following = cursor == model->moments();
  show_process_at(cursor);
}

// That of the last call before the moment.
void Workbench::Impl::show_process_at(std::size_t moment) {
  const std::size_t calls = calls_at(moment);
  if (calls == 0 || processes->seen().size() < 2) return;
  const std::size_t event = store().event_of_call(calls - 1);
  if (event < model->moments()) process = store().at(event).process;
}

Workbench::Place Workbench::Impl::place_of_call(std::size_t call) const {
  if (call >= store().calls()) return {};
  const std::size_t event = store().event_of_call(call);
  if (event >= model->moments()) return {};
  trace::Event decoded = store().at(event);
  return {std::move(decoded.file), static_cast<int>(decoded.line)};
}

RunPhase Workbench::phase() const {
  if (impl_->building()) return RunPhase::Building;
  if (impl_->replay) return RunPhase::Replaying;
  if (impl_->build_failed) return RunPhase::BuildFailed;
  if (!impl_->session) return RunPhase::Idle;
  // For the user, it has ended when its last event is in the picture.
  if (!impl_->session->running() && impl_->model->moments() == impl_->session->store().size())
    return RunPhase::Ended;
  return impl_->held() ? RunPhase::Held : RunPhase::Running;
}

bool Workbench::loading() const {
  return impl_->replay && !impl_->replay->taken;
}

const BuildResult* Workbench::build() const {
  return impl_->build ? &*impl_->build : nullptr;
}

std::optional<RunEnd> Workbench::end() const {
  if (impl_->session && !impl_->replay) return impl_->session->end();
  if (!impl_->replay || !impl_->replay->taken) return std::nullopt;  // as its sources: nothing before poll()
  return impl_->replay->end;
}

std::vector<trace::Pending> Workbench::pending() const {
  return impl_->session && !impl_->replay ? impl_->session->pending() : std::vector<trace::Pending>();
}

bool Workbench::poll() {
  bool changed = false;
  const std::size_t said = impl_->problems.all().size();
  if (impl_->probe.done && !impl_->probe.taken) changed = impl_->probe.taken = true;
  changed |= impl_->open_files.save_soon();
  changed |= impl_->take_build();
  changed |= impl_->take_replay();
  changed |= impl_->take_last_run();
  changed |= impl_->fold();
  changed |= impl_->return_to_moment();
  impl_->take_answers();
  changed |= impl_->take_second_run();
  impl_->take_end();
  if (!impl_->replay) changed |= impl_->open_files.look_outside();
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
  return impl_->store();
}
const Model& Workbench::model() const {
  return impl_->process == 0 ? *impl_->model : impl_->processes->of_process(impl_->process);
}
const Model& Workbench::model_of(std::size_t event) const {
  return impl_->processes->of_event(event);
}
const std::vector<ProcessSeen>& Workbench::processes() const {
  return impl_->processes->seen();
}
std::uint32_t Workbench::shown_process() const {
  return impl_->process;
}
void Workbench::show_process(std::uint32_t process) {
  for (const ProcessSeen& one : processes())
    if (one.number == process) impl_->process = process;
}
std::size_t Workbench::cursor() const {
  return impl_->cursor;
}
bool Workbench::at_end() const {
  return impl_->cursor == impl_->model->moments();
}
void Workbench::jump(std::size_t moment) {
  impl_->go_to(moment);
}
const State& Workbench::state() const {
  return model().at(impl_->cursor);
}
std::size_t Workbench::call_at_cursor() const {
  return impl_->calls_at(impl_->cursor);
}

void Workbench::jump_to_call(std::size_t call) {
  const trace::Store& store = impl_->store();
  if (store.calls() == 0) return;
  impl_->go_to(store.event_of_call(std::min(call, store.calls() - 1)) + 1);
}

bool Workbench::jump_line(Direction direction) {
  const std::size_t known = impl_->known_calls();
  const std::size_t calls = call_at_cursor();
  const auto same = [](const Place& a, const Place& b) { return a.line == b.line && a.file == b.file; };
  if (direction == Direction::Back) {
    if (calls == 0) return false;
    const Place here = impl_->place_of_call(calls - 1);
    std::size_t call = calls - 1;
    while (call > 0 && same(impl_->place_of_call(call - 1), here)) --call;
    if (call == 0) return false;
    return jump_to_call(call - 1), true;
  }
  std::size_t call = calls;
  if (calls > 0)
    while (call < known && same(impl_->place_of_call(call), impl_->place_of_call(calls - 1))) ++call;
  if (call >= known) return false;
  const Place there = impl_->place_of_call(call);
  while (call + 1 < known && same(impl_->place_of_call(call + 1), there)) ++call;
  return jump_to_call(call), true;
}

void Workbench::back() {
  const std::size_t calls = call_at_cursor();
  if (calls < 2)
    impl_->go_to(0);
  else
    jump_to_call(calls - 2);
  // A run without a call has no past yet.
  impl_->following = impl_->following && impl_->model->moments() == 0;
}

void Workbench::step() {
  const std::size_t calls = call_at_cursor();
  const std::size_t known = impl_->known_calls();
  if (calls < known) return jump_to_call(calls);
  const bool was_at_end = impl_->following;
  impl_->go_to(impl_->model->moments());
  switch (phase()) {
    case RunPhase::Idle:
    case RunPhase::BuildFailed:
      run(true);
      break;
    case RunPhase::Held:
      impl_->session->step_any();
      break;
    case RunPhase::Running:
      if (was_at_end) impl_->session->hold();
      break;
    case RunPhase::Building:
    case RunPhase::Ended:
    case RunPhase::Replaying:
      break;
  }
}

// The first call at a breakpoint after the cursor's next call; nothing if there is none.
std::optional<std::size_t> Workbench::Impl::next_stop() {
  const std::set<Breakpoint> stops = breakpoints_of_run();
  if (stops.empty()) return std::nullopt;
  const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  std::set<std::pair<std::string, int>> places;
  for (const Breakpoint& stop : stops) places.emplace(name(stop.file), stop.line);
  const std::size_t known = known_calls();
  for (std::size_t call = calls_at(cursor) + 1; call < known; ++call) {
    const Place place = place_of_call(call);
    if (place.line > 0 && places.contains({name(place.file), place.line})) return call;
  }
  return std::nullopt;
}

void Workbench::go_on() {
  const bool was_at_end = at_end();
  if (!was_at_end)
    if (const auto stop = impl_->next_stop()) return impl_->go_to(store().event_of_call(*stop));
  impl_->go_to(impl_->model->moments());
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
      impl_->session->run_on();
      break;
    case RunPhase::Building:
    case RunPhase::Replaying:
      break;
  }
}

Workbench::Place Workbench::place(bool next) const {
  const std::size_t calls = call_at_cursor();
  if (!next) return calls == 0 ? Place{} : impl_->place_of_call(calls - 1);
  if (calls < impl_->known_calls()) return impl_->place_of_call(calls);
  for (const trace::Pending& call : pending())
    if (!call.call.file.empty()) return {call.call.file, static_cast<int>(call.call.line)};
  return {};
}

}  // namespace lab

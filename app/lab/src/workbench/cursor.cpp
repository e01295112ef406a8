// SPDX-License-Identifier: MIT
// See cursor.hpp.
#include "workbench/cursor.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

namespace lab {
namespace {

constexpr auto kFoldTime = std::chrono::milliseconds(6);  // of a frame, at most, for taking in events
constexpr std::size_t kFoldPiece = 512;

bool shows_something(const State& state) {
  return !state.allocations.empty() || !state.objects.empty() ||
         std::any_of(state.contexts.begin(), state.contexts.end(),
                     [](const Context& each) { return !each.is_dead() && !each.hidden; });
}

}  // namespace

Cursor::Cursor(const trace::Store& store, std::shared_ptr<Wake> wake) : wake_(std::move(wake)) {
  show(store);
}

void Cursor::show(const trace::Store& store) {
  models_.reset();
  store_ = &store;
  model_ = std::make_unique<Model>(store);
  models_ = std::make_unique<ProcessModels>(*model_, store);
  process_ = 0;
  at_ = 0;
  following_ = true;
  returning_to_.reset();
  looks_for_sight_ = false;
  spot_.reset();
}

void Cursor::show_from_first_sight(const trace::Store& store) {
  show(store);
  looks_for_sight_ = true;
}

bool Cursor::fold() {
  const std::size_t before = moments();
  const auto until = std::chrono::steady_clock::now() + kFoldTime;
  bool more = true;
  while (looks_for_sight_ && std::chrono::steady_clock::now() < until) {
    const std::size_t known = moments();
    model_->follow_some(1);
    if (moments() == known) break;
    if (!shows_something(model_->at(moments()))) continue;
    stay_at(moments());
  }
  while ((more = model_->follow_some(kFoldPiece)) && std::chrono::steady_clock::now() < until) {
  }
  if (more) (*wake_)();  // the rest in the next frame
  if (following_) at_ = moments();
  return moments() != before;
}

const Model& Cursor::shown_model() const {
  return process_ == 0 ? *model_ : models_->of_process(process_);
}

void Cursor::show_process(std::uint32_t process) {
  for (const ProcessSeen& one : models_->seen())
    if (one.number == process) process_ = process;
}

void Cursor::show_process_of_last_call() {
  if (calls() == 0 || models_->seen().size() < 2) return;
  const std::size_t event = store_->event_of_call(calls() - 1);
  if (event < moments()) process_ = store_->at(event).process;
}

std::size_t Cursor::calls_at(std::size_t moment) const {
  return store_->calls_before(std::min(moment, store_->size()));
}

Workbench::Place Cursor::place_of_call(std::size_t call) const {
  if (call >= store_->calls()) return {};
  const std::size_t event = store_->event_of_call(call);
  if (event >= moments()) return {};
  trace::Event decoded = store_->at(event);
  return {std::move(decoded.file), static_cast<int>(decoded.line)};
}

void Cursor::go_to(std::size_t moment) {
  looks_for_sight_ = false;
  spot_.reset();
  at_ = std::min(moment, moments());
  following_ = at_end();
  show_process_of_last_call();
}

void Cursor::go_to_call(std::size_t call) {
  if (store_->calls() == 0) return;
  go_to(store_->event_of_call(std::min(call, store_->calls() - 1)) + 1);
}

bool Cursor::go_to_line(Direction direction) {
  using Place = Workbench::Place;
  const auto same = [](const Place& a, const Place& b) { return a.line == b.line && a.file == b.file; };
  const std::size_t known = known_calls(), made = calls();
  if (direction == Direction::Back) {
    if (made == 0) return false;
    const Place here = place_of_call(made - 1);
    std::size_t call = made - 1;
    while (call > 0 && same(place_of_call(call - 1), here)) --call;
    if (call == 0) return false;
    return go_to_call(call - 1), true;
  }
  std::size_t call = made;
  if (made > 0) {
    const Place here = place_of_call(made - 1);
    while (call < known && same(place_of_call(call), here)) ++call;
  }
  if (call >= known) return false;
  const Place there = place_of_call(call);
  while (call + 1 < known && same(place_of_call(call + 1), there)) ++call;
  return go_to_call(call), true;
}

void Cursor::back() {
  if (calls() < 2)
    go_to(0);
  else
    go_to_call(calls() - 2);
  // A run without a call has no past yet.
  following_ = following_ && moments() == 0;
}

std::optional<std::size_t> Cursor::next_stop(const std::set<Breakpoint>& stops) const {
  if (stops.empty()) return std::nullopt;
  const auto name = [](const std::string& path) { return path.substr(path.rfind('/') + 1); };
  std::set<std::pair<std::string, int>> places;
  for (const Breakpoint& stop : stops) places.emplace(name(stop.file), stop.line);
  const std::size_t known = known_calls();
  for (std::size_t call = calls() + 1; call < known; ++call) {
    const Workbench::Place place = place_of_call(call);
    if (place.line > 0 && places.contains({name(place.file), place.line})) return call;
  }
  return std::nullopt;
}

void Cursor::return_to(std::size_t calls) {
  if (calls < store_->calls()) returning_to_ = calls == 0 ? 0 : store_->event_of_call(calls - 1) + 1;
}

std::optional<Cursor::Spot> Cursor::spot() const {
  const std::size_t made = calls();
  if (made == 0 || at_end()) return std::nullopt;
  const std::size_t event = store_->event_of_call(made - 1);
  Spot spot{.thread = store_->thread_at(event), .function = store_->at(event).function};
  for (std::size_t each = 0; each <= event; ++each)
    if (store_->kind_at(each) == trace::EventKind::Call && store_->thread_at(each) == spot.thread) ++spot.nth;
  return spot;
}

void Cursor::return_to(const Spot& spot) {
  spot_ = spot;
  spot_seen_ = 0;
}

// Also where the moment is the last of what was taken in so far: the calls after it come in later frames.
void Cursor::stay_at(std::size_t moment) {
  go_to(moment);
  following_ = false;
}

// A long run is taken in over some frames, and its place may be far in it.
bool Cursor::return_to_moment() {
  for (; spot_ && spot_seen_ < moments(); ++spot_seen_) {
    if (store_->kind_at(spot_seen_) != trace::EventKind::Call ||
        store_->thread_at(spot_seen_) != spot_->thread || --spot_->nth > 0)
      continue;
    if (store_->at(spot_seen_).function != spot_->function) {
      spot_.reset();
      break;
    }
    stay_at(spot_seen_ + 1);
    return true;
  }
  if (!returning_to_ || *returning_to_ > moments()) return false;
  stay_at(*std::exchange(returning_to_, std::nullopt));
  return true;
}

}  // namespace lab

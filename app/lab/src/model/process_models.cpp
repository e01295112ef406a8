// SPDX-License-Identifier: MIT
// See lab/process_models.hpp. All information about processes comes from the events.
#include "lab/process_models.hpp"

namespace lab {
namespace {

bool initialises(const trace::Event& event) {
  return event.kind == trace::EventKind::Call && event.function == trace::Function::cuInit &&
         event.returned && event.result == 0;
}

}  // namespace

ProcessModels::ProcessModels(const Model& first, const trace::Store& store)
    : first_(first), store_(store), seen_(1) {
  places_[0] = 0;
}
ProcessModels::~ProcessModels() = default;

const Model& ProcessModels::of_process(std::uint32_t process) const {
  if (process == first_.process()) return first_;
  look();
  Own& own = others_[process];
  if (!own.model) own.model = std::make_unique<Model>(store_, process, &own.events);
  Model& model = *own.model;
  if (first_.moments() > model.moments()) model.follow_some(first_.moments() - model.moments());
  return model;
}

const Model& ProcessModels::of_event(std::size_t event) const {
  if (event >= first_.moments() || seen().size() == 1) return first_;
  return of_process(store_.process_at(event));
}

const std::vector<ProcessSeen>& ProcessModels::seen() const {
  look();
  return seen_;
}

// Sorts the new events by process. Of other processes, a model needs one event only: the first initialisation
// of the driver.
void ProcessModels::look() const {
  for (; looked_at_ < first_.moments(); ++looked_at_) {
    const std::uint32_t process = store_.process_at(looked_at_);
    const auto event = static_cast<std::uint32_t>(looked_at_);
    if (process != first_.process()) own_of(process).events.push_back(event);
    const trace::EventKind kind = store_.kind_at(looked_at_);
    if (kind == trace::EventKind::ProcessStart) note_start(store_.at(looked_at_));
    const bool wanted = !first_init_ || (others_wanted_ && process != first_init_by_);
    if (wanted && kind == trace::EventKind::Call && initialises(store_.at(looked_at_)))
      note_init(process, event);
  }
}

ProcessModels::Own& ProcessModels::own_of(std::uint32_t process) const {
  const auto [place, fresh] = others_.try_emplace(process);
  if (fresh && first_init_) place->second.events.push_back(*first_init_);
  return place->second;
}

void ProcessModels::note_init(std::uint32_t process, std::uint32_t event) const {
  if (!first_init_) {
    first_init_ = event;
    first_init_by_ = process;
    for (auto& [number, own] : others_)
      if (number != process) own.events.push_back(event);
  } else if (process != first_init_by_) {
    others_wanted_ = false;
    if (first_init_by_ != first_.process()) own_of(first_init_by_).events.push_back(event);
  }
}

void ProcessModels::note_start(const trace::Event& start) const {
  const auto [place, fresh] = places_.try_emplace(start.process, seen_.size());
  ProcessSeen& one = fresh ? seen_.emplace_back() : seen_[place->second];
  one = {start.process, start.number, start.text};
}

}  // namespace lab

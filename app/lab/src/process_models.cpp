// SPDX-License-Identifier: MIT
// See lab/process_models.hpp. It knows of processes no more than the events say.
#include "lab/process_models.hpp"

#include <algorithm>

namespace lab {

ProcessModels::ProcessModels(const Model& first, const trace::Store& store)
    : first_(first), store_(store), seen_(1) {}
ProcessModels::~ProcessModels() = default;

const Model& ProcessModels::of_process(std::uint32_t process) const {
  if (process == first_.process()) return first_;
  std::unique_ptr<Model>& model = others_[process];
  if (!model) model = std::make_unique<Model>(store_, process);
  if (first_.moments() > model->moments()) model->follow_some(first_.moments() - model->moments());
  return *model;
}

const Model& ProcessModels::of_event(std::size_t event) const {
  if (event >= first_.moments() || seen().size() == 1) return first_;
  return of_process(store_.at(event).process);
}

const std::vector<ProcessSeen>& ProcessModels::seen() const {
  for (; looked_at_ < first_.moments(); ++looked_at_) {
    if (store_.kind_at(looked_at_) != trace::EventKind::ProcessStart) continue;
    const trace::Event start = store_.at(looked_at_);
    const auto same = std::find_if(seen_.begin(), seen_.end(),
                                   [&start](const ProcessSeen& one) { return one.number == start.process; });
    ProcessSeen& one = same == seen_.end() ? seen_.emplace_back() : *same;
    one = {start.process, start.number, start.text};
  }
  return seen_;
}

}  // namespace lab

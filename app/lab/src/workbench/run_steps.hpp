// SPDX-License-Identifier: MIT
// The steps of the shown run: to which step of its sources each call belongs. A part of the workbench.
//
// Calls are looked at in their order and once each, some thousand at a time: a run may have millions, and the
// window draws in between. What is known is of the store since the last begin(). Owned by the thread that
// draws.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "course/source_calls.hpp"
#include "lab/catalogue.hpp"
#include "lab/workbench.hpp"

namespace lab {

class RunSteps {
 public:
  // The sources of the run whose steps these are. They must outlive this object; after a change, begin()
  // again.
  explicit RunSteps(const Sources& sources) : sources_(sources) {}
  void begin();

  // Each looks at new calls of the store, up to the first `known` ones.
  struct Step {
    bool known = false;               // false: the call has not been looked at yet
    std::optional<std::string> name;  // nothing: the call belongs to none
  };
  Step step_of(std::size_t call, const trace::Store& store, std::size_t known);
  const std::vector<Workbench::StepStart>& starts(const trace::Store& store, std::size_t known);
  std::vector<std::size_t> calls_of(const std::string& step, const trace::Store& store, std::size_t known);
  std::optional<std::string> step_at_line(const std::string& file, int line);  // of the sources

 private:
  const std::vector<StepMark>& marks();
  void follow(const trace::Store& store, std::size_t known, std::size_t most);

  const Sources& sources_;
  std::optional<std::vector<StepMark>> marks_;  // of the sources; found when they are first needed
  StepsOfRun steps_;
  std::vector<std::int32_t> step_of_call_;  // number in marks(), -1 for none; of the calls looked at so far
  std::vector<Workbench::StepStart> starts_;
  std::size_t starts_seen_ = 0;  // calls
};

}  // namespace lab

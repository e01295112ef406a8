// SPDX-License-Identifier: MIT
// The run that a picture shows, and the moment in it: the workbench's run, or the one beside it.
//
// References that are valid for one frame. Does not depend on drawing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "lab/workbench.hpp"

namespace gui::picture {

struct ShownRun {
  const lab::Model& model;
  const trace::Store& store;
  std::size_t cursor = 0;                 // a moment
  std::uint64_t run = 0;                  // another number for another run
  bool over = false;                      // it has ended
  std::function<void(std::size_t)> jump;  // to a moment
  // Of the run, where there are several: the model is that of one of them.
  const std::vector<lab::ProcessSeen>* processes = nullptr;
  std::function<void(std::uint32_t)> show_process = {};
  // From the program's own text, if it is known: whether it expects this failure, and the name of an
  // argument.
  std::function<bool(std::size_t)> expected_failure = {};
  std::function<std::string(const trace::Event&, std::size_t)> variable = {};
  // The run before as a ghost, and its model; null: it is not shown.
  const lab::Ghost* ghost = nullptr;
  const lab::Model* before = nullptr;
  // In front of a class: no smaller than the last row can read, and without the card of the step.
  bool alone = false;

  std::size_t calls() const { return store.calls_before(cursor < store.size() ? cursor : store.size()); }
};

// The workbench's own run at its cursor.
ShownRun shown_run(lab::Workbench& bench, std::uint64_t run);

}  // namespace gui::picture

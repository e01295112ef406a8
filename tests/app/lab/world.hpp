// SPDX-License-Identifier: MIT
// A state folded from hand-made calls, short ways to ask it, and what some work costs.
#pragma once
#include <algorithm>
#include <ctime>
#include <functional>
#include <string>

#include <gtest/gtest.h>

#include "lab/model.hpp"
#include "support/events.hpp"

namespace lab_model_test {

inline constexpr std::uint64_t kA = 0x5000a0, kB = 0x5000b0, kP = 0x5000f0, kQ = 0x5000f8;
inline constexpr std::uint64_t kMemory = 0x7f0000000000;

struct World : support::Run {
  // The state after everything said so far.
  lab::State fold() {
    lab::State state;
    for (support::Call& call : calls()) lab::apply(state, call.event());
    return state;
  }
};

// "A B A", bottom first; "" for an empty stack; "-" for a thread that was never seen.
inline std::string stack(const lab::State& state, std::uint32_t thread = 0) {
  const lab::Thread* found = state.thread(thread);
  if (!found) return "-";
  std::string out;
  for (const std::uint32_t context : found->stack) {
    if (!out.empty()) out += ' ';
    out += state.contexts[context].name;
  }
  return out;
}

inline const lab::Context& context(const lab::State& state, std::uint64_t handle) {
  return state.contexts.at(state.context_of(handle));
}

inline bool changed(const lab::State& state, lab::Change::Kind kind) {
  return std::any_of(state.changes.begin(), state.changes.end(),
                     [kind](const lab::Change& change) { return change.kind == kind; });
}

// The names of the objects alive, in order of creation: "M1 M1.f S1".
inline std::string objects(const lab::State& state) {
  std::string out;
  for (const lab::Object& object : state.objects) {
    if (!out.empty()) out += ' ';
    out += lab::object_name(object);
  }
  return out;
}

inline bool agree(const lab::State& state, std::uint32_t thread = 0) {
  return state.thread(thread)->agree;
}

// Of the processor, so that others on the machine do not count.
inline double seconds_of(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

}  // namespace lab_model_test

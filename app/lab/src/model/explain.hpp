// SPDX-License-Identifier: MIT
// The inside of explain(): a failed call with the state just before it, and one list of rules for each noun
// of the API. A rule that does not apply returns nothing, so special rules come before general ones.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "lab/explain.hpp"
#include "model/functions.hpp"
#include "trace/event.hpp"

namespace lab {

struct Failure {
  const Model& model;
  const trace::Store& store;
  const trace::Event& event;
  std::size_t index = 0;
  State before;  // the state when the call was made; a copy, because rules look at other moments too

  bool is(Function function) const { return event.function == function; }
  const trace::Argument* argument(std::string_view name) const { return event.argument(name); }
  std::optional<std::uint64_t> passed(std::string_view name) const;  // nothing: there is no such argument
  std::uint32_t current() const;                                     // of the calling thread; kNone
  std::string thread_word() const;                                   // "main", or its name or number
  // "12" and " (main.cpp:30)" of another event, for sentences that say "call {0}{1}".
  std::string call_word(std::size_t event) const;
  std::string place_word(std::size_t event) const;
  // The latest successful call before this one for which `holds` is true; looks at a bounded number of
  // events.
  template <class Holds>
  std::optional<std::size_t> latest(const Holds& holds) const;
};

using Explained = std::optional<Explanation>;
Explained explain_context(const Failure& failure);
Explained explain_managed(const Failure& failure);
Explained explain_memory(const Failure& failure);
Explained explain_launch(const Failure& failure);
Explained explain_shape(const Failure& failure);
Explained explain_resource(const Failure& failure);
Explained explain_broken_process(const Failure& failure);
// Of a call that never returned: the process ended inside it, by a signal.
Explained explain_crash(const Failure& failure);

// Its wrong devices are explained by explain_managed.
bool advises_or_prefetches(Function function);

// Why an address has no live allocation any more: it was freed, or its context was destroyed.
Explained gone(const Failure& failure, std::uint64_t address);
// That so many bytes from `address` on, which is in `holder`, go beyond its end. Nothing if they do not.
Explained beyond_end(const Failure& failure, std::string_view argument, const Allocation& holder,
                     std::uint64_t address, std::uint64_t bytes);
// The call that gave out this handle.
std::optional<std::size_t> maker_of(const Failure& failure, std::uint64_t handle);
// By its name; by its handle if its creation was not recorded.
std::string thing_word(const Failure& failure, std::uint64_t handle);

inline constexpr std::size_t kMostLookedBack = 100'000;  // events; about 50 ms

template <class Holds>
std::optional<std::size_t> Failure::latest(const Holds& holds) const {
  const std::size_t end = index > kMostLookedBack ? index - kMostLookedBack : 0;
  for (std::size_t i = index; i-- > end;) {
    if (store.kind_at(i) != trace::EventKind::Call || store.result_at(i) != 0) continue;
    const trace::Event candidate = store.at(i);
    if (candidate.returned && candidate.process == event.process && holds(candidate)) return i;
  }
  return std::nullopt;
}

}  // namespace lab

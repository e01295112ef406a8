// SPDX-License-Identifier: MIT
// See lab/explain.hpp. Chooses the list of rules for a failed call, and has the words that the rules share.
// The rules themselves are in explain_*.cpp.
#include "model/explain.hpp"

#include <csignal>

#include <fmt/format.h>

namespace lab {

std::optional<std::uint64_t> Failure::passed(std::string_view name) const {
  const trace::Argument* found = argument(name);
  return found ? std::optional(found->word) : std::nullopt;
}

std::uint32_t Failure::current() const {
  return before.current_of(event.thread);
}

std::string Failure::thread_word() const {
  const Thread* thread = before.thread(event.thread);
  return thread == nullptr || thread->name.empty() ? std::to_string(event.thread) : thread->name;
}

std::string Failure::call_word(std::size_t other) const {
  return std::to_string(store.calls_before(other) + 1);
}

std::string Failure::place_word(std::size_t other) const {
  const trace::Event there = store.at(other);
  return there.file.empty() ? std::string() : fmt::format(" ({}:{})", there.file, there.line);
}

namespace {

constexpr std::int32_t kNotInitialized = 3, kInvalidDevice = 101;

// A forked copy of another process, not a newly started program: its code was mapped before it existed.
bool forked(const Failure& failure) {
  if (failure.event.process == 0) return false;
  const std::size_t end = failure.index > kMostLookedBack ? failure.index - kMostLookedBack : 0;
  for (std::size_t i = failure.index; i-- > end;) {
    const trace::EventKind kind = failure.store.kind_at(i);
    if (kind != trace::EventKind::ModuleMapped && kind != trace::EventKind::ProcessStart) continue;
    const trace::Event event = failure.store.at(i);
    if (event.process != failure.event.process) continue;
    return kind == trace::EventKind::ProcessStart;
  }
  return true;
}

Explained explain_start(const Failure& failure) {
  if (failure.event.result == kNotInitialized) {
    if (failure.before.initialised) return std::nullopt;
    if (failure.before.initialised_elsewhere && forked(failure))
      return Explanation{{Text::ExplainForked, {}}, {}};
    return Explanation{{Text::ExplainNotInitialised, {}}, {}};
  }
  if (failure.event.result == kInvalidDevice && !advises_or_prefetches(failure.event.function)) {
    for (const trace::Argument& argument : failure.event.arguments) {
      const bool ordinal = argument.kind == trace::ValueKind::Device || argument.name == "ordinal";
      if (!ordinal || argument.role != trace::Role::In) continue;
      const auto counted = failure.latest(
          [](const trace::Event& event) { return event.function == Function::cuDeviceGetCount; });
      const auto number = std::to_string(static_cast<std::int32_t>(argument.word));
      if (!counted) return Explanation{{Text::ExplainDeviceUnknown, {number}}, {}};
      const trace::Event count = failure.store.at(*counted);
      if (count.arguments.empty() || argument.word < count.arguments[0].out.value_or(0)) return std::nullopt;
      return Explanation{
          {Text::ExplainDeviceBeyond, {number, std::to_string(count.arguments[0].out.value_or(0))}}, counted};
    }
  }
  return std::nullopt;
}

// Looked for at the end of the run only: calls that never returned are its last ones.
bool ended_by_bad_memory(const trace::Store& store) {
  constexpr std::size_t kLooked = 64;
  const std::size_t size = store.size();
  for (std::size_t i = size; i > 0 && size - i < kLooked; --i) {
    if (store.kind_at(i - 1) != trace::EventKind::ProcessEnd) continue;
    const trace::Event end = store.at(i - 1);
    if (end.process != 0) continue;
    return end.end == trace::EndKind::Signal && (end.number == SIGSEGV || end.number == SIGBUS);
  }
  return false;
}

}  // namespace

std::optional<Explanation> explain(const Model& model, const trace::Store& store, std::size_t index) {
  if (index >= model.moments() || store.kind_at(index) != trace::EventKind::Call) return std::nullopt;
  const trace::Event event = store.at(index);
  if (event.process != model.process()) return std::nullopt;
  if (!event.returned) {
    if (event.process != 0 || !ended_by_bad_memory(store)) return std::nullopt;
    return explain_crash(Failure{model, store, event, index, model.aside(index)});
  }
  if (event.result == 0) return std::nullopt;
  if (event.layer() != trace::Layer::Driver) return std::nullopt;  // the driver call inside is explained
  const Failure failure{model, store, event, index, model.aside(index)};
  for (const auto rules : {explain_start, explain_broken_process, explain_resource, explain_context,
                           explain_managed, explain_memory, explain_shape, explain_launch})
    if (Explained found = rules(failure)) return found;
  return std::nullopt;
}

}  // namespace lab

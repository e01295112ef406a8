// SPDX-License-Identifier: MIT
// Failures about contexts: no context is current, a destroyed one is current, or a primary context is used
// like a created one. Measured on an H200: scenarios no_context, stack_*, primary*, threads_*.
#include <string>

#include "model/explain.hpp"

namespace lab {
namespace {

constexpr std::int32_t kInvalidContext = 201, kContextIsDestroyed = 709;

// The call that ended a context: its destruction, or for a primary the last release or the reset.
std::optional<std::size_t> end_of_context(const Failure& failure, const Context& context) {
  if (!context.primary) return context.destroyed_at;
  return failure.latest([&context](const trace::Event& event) {
    if (event.function != Function::cuDevicePrimaryCtxRelease &&
        event.function != Function::cuDevicePrimaryCtxReset)
      return false;
    return !event.arguments.empty() && event.arguments[0].word == context.device;
  });
}

// The destroyed context is on top of the calling thread's stack.
Explained dead_and_current(const Failure& failure, const Context& context) {
  const auto end = end_of_context(failure, context);
  if (!end) return std::nullopt;
  return Explanation{
      {context.primary ? Text::ExplainCurrentReleased : Text::ExplainCurrentDestroyed,
       {context.name, failure.thread_word(), failure.call_word(*end), failure.place_word(*end)}},
      end};
}

Explained dead_handle(const Failure& failure, const Context& context) {
  const auto end = end_of_context(failure, context);
  if (!end) return std::nullopt;
  return Explanation{{context.primary ? Text::ExplainHandleReleased : Text::ExplainHandleDestroyed,
                      {context.name, failure.call_word(*end), failure.place_word(*end)}},
                     end};
}

// A context given by its handle that is not what the call needs.
Explained wrong_handle(const Failure& failure) {
  const trace::Argument* argument = failure.argument("ctx");
  if (argument == nullptr || argument->word == 0) return std::nullopt;
  const std::uint32_t index = failure.before.context_of(argument->word);
  if (index == kNone) return std::nullopt;
  const Context& context = failure.before.contexts[index];
  if (context.primary && failure.is(Function::cuCtxDestroy))
    return Explanation{{Text::ExplainDestroyPrimary, {context.name, std::to_string(context.device)}}, {}};
  return context.is_dead() ? dead_handle(failure, context) : std::nullopt;
}

Explained released_too_often(const Failure& failure) {
  const auto device = failure.passed("dev");
  if (!failure.is(Function::cuDevicePrimaryCtxRelease) || !device) return std::nullopt;
  for (const Context& context : failure.before.contexts)
    if (context.primary && context.device == *device && context.retain_count > 0) return std::nullopt;
  return Explanation{{Text::ExplainReleasedTooOften, {"P" + std::to_string(*device)}}, {}};
}

// A primary context that this thread could have: retained, but never made current.
Explained retained_only(const Failure& failure) {
  for (const Context& context : failure.before.contexts) {
    if (!context.primary || context.retain_count == 0) continue;
    const auto retained = failure.latest([&context](const trace::Event& event) {
      return event.function == Function::cuDevicePrimaryCtxRetain && event.arguments.size() > 1 &&
             event.arguments[1].word == context.device;
    });
    if (!retained) continue;
    return Explanation{
        {Text::ExplainRetainedOnly,
         {failure.thread_word(), context.name, failure.call_word(*retained), failure.place_word(*retained)}},
        retained};
  }
  return std::nullopt;
}

Explained nothing_current(const Failure& failure) {
  if (failure.current() != kNone) return std::nullopt;
  if (failure.is(Function::cuCtxPopCurrent)) {
    const auto popped = failure.latest([&failure](const trace::Event& event) {
      return event.function == Function::cuCtxPopCurrent && event.thread == failure.event.thread;
    });
    return Explanation{{Text::ExplainNothingToPop, {failure.thread_word()}}, popped};
  }
  if (Explained found = retained_only(failure)) return found;
  for (const Context& context : failure.before.contexts) {
    if (context.primary || !context.alive || context.hidden) continue;
    return Explanation{{Text::ExplainNotCurrentHere, {failure.thread_word(), context.name}},
                       static_cast<std::size_t>(context.created_at)};
  }
  return Explanation{{Text::ExplainNothingCurrent, {failure.thread_word()}}, {}};
}

}  // namespace

Explained explain_context(const Failure& failure) {
  if (failure.event.result != kInvalidContext && failure.event.result != kContextIsDestroyed)
    return std::nullopt;
  if (Explained found = wrong_handle(failure)) return found;
  if (Explained found = released_too_often(failure)) return found;
  if (const std::uint32_t current = failure.current(); current != kNone) {
    const Context& context = failure.before.contexts[current];
    return context.is_dead() ? dead_and_current(failure, context) : std::nullopt;
  }
  return failure.event.result == kInvalidContext ? nothing_current(failure) : std::nullopt;
}

}  // namespace lab

// SPDX-License-Identifier: MIT
// The outcome of a question: the right choice, the fact in words, and the rule behind it.
//
// A rule is given only if the state after the call agrees with it, so that a driver that does something else
// is shown as it is. Nothing here depends on a window.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "lab/predict.hpp"
#include "model/predict_parts.hpp"

namespace lab {
namespace predict {

std::string stack_value(const State& state, const std::vector<std::uint32_t>& stack) {
  std::vector<std::string> names;
  names.reserve(stack.size());
  for (const std::uint32_t context : stack)
    names.push_back(context < state.contexts.size() ? state.contexts[context].name : "?");
  return fmt::format("[{}]", fmt::join(names, ", "));
}

std::size_t owned(const State& state, std::uint32_t context) {
  const auto mine = [context](const auto& thing) { return thing.context == context; };
  return static_cast<std::size_t>(std::count_if(state.allocations.begin(), state.allocations.end(), mine) +
                                  std::count_if(state.objects.begin(), state.objects.end(), mine));
}

}  // namespace predict

namespace {

using namespace predict;
using Reason = std::optional<Problem>;
using trace::Function;
using StackOf = std::vector<std::uint32_t>;

struct Happened {
  const Question& question;
  const State &before, &after;
  const trace::Event& call;

  bool is(Function function) const { return call.function == function; }
  std::uint64_t passed(std::string_view name) const { return call.passed(name); }
  const StackOf& stack(const State& state) const { return state.stack_of(question.thread); }
  std::uint32_t context() const { return before.context_of(passed("ctx")); }
  std::string name() const { return std::string(call.name); }
};

std::optional<std::string> owner_of_what_was_made(const State& before, const State& after) {
  std::uint32_t owner = kNone;
  if (after.next_allocation > before.next_allocation && !after.allocations.empty())
    owner = after.allocations.back().context;
  else if (after.objects_made > before.objects_made && !after.objects.empty())
    owner = after.objects.back().context;
  else
    return std::nullopt;
  return owner < after.contexts.size() ? after.contexts[owner].name : std::string(kProcess);
}

std::optional<std::string> value_of(const Happened& it) {
  switch (it.question.kind) {
    case QuestionKind::Result:
      return std::string(trace::result_name(it.call.result));
    case QuestionKind::Survival: {
      const std::size_t left = owned(it.after, it.question.context);
      return left == 0 ? kGone : left == owned(it.before, it.question.context) ? kStays : "some of it";
    }
    case QuestionKind::Stack:
      return stack_value(it.after, it.stack(it.after));
    case QuestionKind::Owner:
      return owner_of_what_was_made(it.before, it.after);
  }
  return std::nullopt;
}

Problem fact_of(const Happened& it, const std::string& value) {
  const Question& question = it.question;
  const std::string context =
      question.context < it.before.contexts.size() ? it.before.contexts[question.context].name : "";
  switch (question.kind) {
    case QuestionKind::Result:
      break;
    case QuestionKind::Survival:
      if (value == kGone) return {Text::PredictFactGone, {context}};
      if (value == kStays) return {Text::PredictFactStays, {context}};
      return {Text::PredictFactSome,
              {context, std::to_string(owned(it.after, question.context)),
               std::to_string(owned(it.before, question.context))}};
    case QuestionKind::Stack: {
      const Thread* thread = it.after.thread(question.thread);
      return {Text::PredictFactStack,
              {thread ? it.after.name_of({ObjectKind::Thread, thread->number}) : "main", value}};
    }
    case QuestionKind::Owner:
      if (value == kProcess) return {Text::PredictFactProcess, {}};
      return {Text::PredictFactOwner, {value}};
  }
  return {Text::PredictFactResult, {it.name(), value}};
}

Reason why_stack(const Happened& it) {
  const StackOf &before = it.stack(it.before), &after = it.stack(it.after);
  StackOf popped = before;
  if (!popped.empty()) popped.pop_back();
  const bool grew =
      after.size() == before.size() + 1 && std::equal(before.begin(), before.end(), after.begin());
  const bool lost_top = after == popped && !before.empty(), same = after == before;
  if (it.is(Function::cuCtxCreate) && grew) return Problem{Text::PredictWhyCreate, {}};
  if (it.is(Function::cuCtxPushCurrent) && grew) return Problem{Text::PredictWhyPush, {}};
  if (it.is(Function::cuCtxPopCurrent) && lost_top) return Problem{Text::PredictWhyPop, {}};
  if (it.is(Function::cuCtxSetCurrent)) {
    if (it.passed("ctx") == 0) return lost_top ? Reason(Problem{Text::PredictWhySetNull, {}}) : std::nullopt;
    if (before.empty() && grew) return Problem{Text::PredictWhySetFirst, {}};
    if (!before.empty() && after.size() == before.size()) return Problem{Text::PredictWhySet, {}};
  }
  if (it.is(Function::cuCtxDestroy)) {
    const bool was_top = !before.empty() && before.back() == it.context();
    if (was_top && lost_top) return Problem{Text::PredictWhyDestroyTop, {}};
    if (!was_top && same) return Problem{Text::PredictWhyDestroyBelow, {}};
  }
  const bool one_primary = !after.empty() && it.after.contexts[after.back()].primary;
  if (it.is(Function::cudaSetDevice) && one_primary && before.empty() && grew)
    return Problem{Text::PredictWhySetDeviceFirst, {}};
  if (it.is(Function::cudaSetDevice) && one_primary && after.size() == before.size())
    return Problem{Text::PredictWhySetDevice, {}};
  if (it.call.layer() == trace::Layer::Runtime && one_primary && before.empty() && grew)
    return Problem{Text::PredictWhyRuntimeFirst, {it.name()}};
  if (it.is(Function::cuDevicePrimaryCtxRetain) && same) return Problem{Text::PredictWhyRetain, {}};
  if (it.is(Function::cuDevicePrimaryCtxRelease) && same) return Problem{Text::PredictWhyRelease, {}};
  return std::nullopt;
}

Reason why_survival(const Happened& it, const std::string& value) {
  if (it.is(Function::cudaDeviceReset) && value == kGone) return Problem{Text::PredictWhyRuntimeReset, {}};
  if (it.is(Function::cuCtxDestroy) && value == kGone) return Problem{Text::PredictWhyDies, {}};
  if (it.is(Function::cuCtxPopCurrent) && value == kStays) return Problem{Text::PredictWhyPopKeeps, {}};
  if (!it.is(Function::cuDevicePrimaryCtxRelease) || it.question.context >= it.after.contexts.size())
    return std::nullopt;
  const auto retained = it.after.contexts[it.question.context].retain_count;
  if (value == kGone && retained == 0) return Problem{Text::PredictWhyLastRelease, {}};
  if (value == kStays && retained > 0)
    return Problem{Text::PredictWhyStillRetained, {std::to_string(retained)}};
  return std::nullopt;
}

Reason why_owner(const Happened& it, const std::string& value) {
  if (value == kProcess) return Problem{Text::PredictWhyNoOwner, {it.name()}};
  const StackOf& stack = it.stack(it.before);
  const bool current = !stack.empty() && it.before.contexts[stack.back()].name == value;
  return current ? Reason(Problem{Text::PredictWhyCurrentOwns, {it.name(), value}}) : std::nullopt;
}

// For successful calls that surprise; lab::explain() explains failures.
Reason why_result(const Happened& it) {
  if (it.call.result != 0) return std::nullopt;
  if (it.is(Function::cuMemFree)) return Problem{Text::PredictWhyFoundByAddress, {}};
  const bool dead = it.context() != kNone && it.before.contexts[it.context()].is_destroyed();
  if ((it.is(Function::cuCtxPushCurrent) || it.is(Function::cuCtxSetCurrent)) && dead)
    return Problem{Text::PredictWhyDeadPushed, {}};
  if (it.is(Function::cuLaunchKernel) && it.before.object_of(ObjectKind::Kernel, it.passed("f")))
    return Problem{Text::PredictWhyKernelAnywhere, {}};
  return std::nullopt;
}

Reason why(const Happened& it, const std::string& value) {
  switch (it.question.kind) {
    case QuestionKind::Result:
      return why_result(it);
    case QuestionKind::Survival:
      return why_survival(it, value);
    case QuestionKind::Stack:
      return why_stack(it);
    case QuestionKind::Owner:
      return why_owner(it, value);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Outcome> outcome_of(const Question& question, const State& before, const State& after,
                                  const trace::Event& call) {
  if (!call.returned || (question.kind != QuestionKind::Result && call.result != 0)) return std::nullopt;
  const Happened it{question, before, after, call};
  const std::optional<std::string> value = value_of(it);
  if (!value || question.choices.empty()) return std::nullopt;
  Outcome outcome{question.choices.size() - 1, fact_of(it, *value), why(it, *value)};
  for (std::size_t i = 0; i < question.choices.size(); ++i)
    if (question.choices[i].value == *value) outcome.choice = i;
  return outcome;
}

void Score::add(bool was_right) {
  ++asked;
  right += was_right;
  streak = was_right ? streak + 1 : 0;
  best_streak = std::max(best_streak, streak);
}

}  // namespace lab

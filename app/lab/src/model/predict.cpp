// SPDX-License-Identifier: MIT
// The four kinds of question; their outcome is read in predict_outcome.cpp. The beliefs behind the wrong
// choices come from questions that people ask; what the driver does was measured (scenarios stack_*, primary,
// memory_across_contexts, library, memory_pools_vmm).
#include "lab/predict.hpp"

#include <algorithm>
#include <initializer_list>

#include "model/apply.hpp"
#include "model/functions.hpp"
#include "model/predict_parts.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostOwners = 4;
using namespace predict;

using Stack = std::vector<std::uint32_t>;

// The call about to run and the state before it.
struct Upcoming {
  const State& before;
  const trace::Event& call;

  bool is(Function function) const { return call.function == function; }
  bool is(std::initializer_list<Function> set) const { return one_of(call.function, set); }
  std::uint64_t passed(std::string_view name) const { return call.passed(name); }
  const Stack& stack() const { return before.stack_of(call.thread); }
  std::uint32_t current() const { return before.current_of(call.thread); }
  std::uint32_t context() const { return before.context_of(passed("ctx")); }
  std::uint32_t primary() const {
    const std::uint64_t device = passed(is(Function::cudaSetDevice) ? "device" : "dev");
    return device < before.devices.size() ? before.devices[device].primary : kNone;
  }
  std::string thread_word() const {
    return before.thread(call.thread) ? before.name_of({ObjectKind::Thread, call.thread}) : "main";
  }
};

void choose(Question& question, Text key, std::string value) {
  const auto same = [&value](const Question::Choice& choice) { return choice.value == value; };
  if (std::any_of(question.choices.begin(), question.choices.end(), same)) return;
  question.choices.push_back({Problem{key, {value}}, std::move(value)});
}

// Sorted by value, so that the place of a choice gives no hint; "something else" is always the last.
std::optional<Question> closed(Question question) {
  if (question.choices.size() < 2) return std::nullopt;
  std::sort(question.choices.begin(), question.choices.end(),
            [](const Question::Choice& a, const Question::Choice& b) { return a.value < b.value; });
  question.choices.push_back({Problem{Text::PredictOther, {}}, ""});
  return question;
}

// Calls that work in the current context and give an error without one.
bool needs_context(const Upcoming& up) {
  return up.is({Function::cuMemAlloc, Function::cuMemFree, Function::cuMemAllocHost,
                Function::cuMemAllocManaged, Function::cuMemGetInfo, Function::cuMemcpyHtoD,
                Function::cuMemcpyDtoH, Function::cuMemsetD8, Function::cuMemsetD32, Function::cuModuleLoad,
                Function::cuModuleLoadData, Function::cuModuleLoadDataEx, Function::cuStreamCreate,
                Function::cuEventCreate, Function::cuLaunchKernel, Function::cuCtxSynchronize,
                Function::cuCtxGetDevice});
}

// The plausible results, if it is not clear that the call succeeds; otherwise none.
std::vector<const char*> doubtful_answers(const Upcoming& up) {
  const State& before = up.before;
  const bool works_before_init =
      up.is({Function::cuInit, Function::cuDriverGetVersion, Function::cuGetErrorName,
             Function::cuGetErrorString, Function::cuGetProcAddress});
  if (!before.initialised && !works_before_init)
    return {kSuccess, "CUDA_ERROR_NOT_INITIALIZED", "CUDA_ERROR_INVALID_CONTEXT"};
  const std::uint32_t current = up.current();
  if (needs_context(up)) {
    if (current == kNone) return {kSuccess, "CUDA_ERROR_INVALID_CONTEXT", "CUDA_ERROR_INVALID_VALUE"};
    const Context& context = before.contexts[current];
    if (context.is_dead()) return {kSuccess, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "CUDA_ERROR_INVALID_CONTEXT"};
  }
  if (up.is(Function::cuLaunchKernel)) {
    const Object* function = before.object_of(ObjectKind::Function, up.passed("f"));
    const Object* kernel = before.object_of(ObjectKind::Kernel, up.passed("f"));
    if ((function && function->context != current) || (!function && kernel && before.contexts.size() > 1))
      return {kSuccess, "CUDA_ERROR_INVALID_HANDLE", "CUDA_ERROR_INVALID_CONTEXT"};
  }
  if (up.is(Function::cuMemFree) && up.passed("dptr") != 0) {
    const Allocation* found = before.allocation_at(up.passed("dptr"));
    if (!found || found->address != up.passed("dptr"))
      return {kSuccess, "CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_ILLEGAL_ADDRESS"};
    if (found->context != current && found->context != kNone)
      return {kSuccess, "CUDA_ERROR_INVALID_VALUE", "CUDA_ERROR_INVALID_CONTEXT"};
  }
  if (up.is(Function::cuCtxPopCurrent) && current == kNone)
    return {kSuccess, "CUDA_ERROR_INVALID_CONTEXT", "CUDA_ERROR_INVALID_VALUE"};
  if (up.is(Function::cuCtxDestroy) && up.context() != kNone && before.contexts[up.context()].primary)
    return {kSuccess, "CUDA_ERROR_INVALID_CONTEXT", "CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE"};
  if ((up.is(Function::cuCtxPushCurrent) || up.is(Function::cuCtxSetCurrent)) && up.context() != kNone &&
      before.contexts[up.context()].is_destroyed())
    return {kSuccess, "CUDA_ERROR_CONTEXT_IS_DESTROYED", "CUDA_ERROR_INVALID_CONTEXT"};
  if (up.is(Function::cuDevicePrimaryCtxRelease) && up.primary() != kNone &&
      before.contexts[up.primary()].retain_count == 0)
    return {kSuccess, "CUDA_ERROR_INVALID_CONTEXT", "CUDA_ERROR_INVALID_VALUE"};
  return {};
}

std::optional<Question> about_result(const Upcoming& up) {
  Question question;
  question.kind = QuestionKind::Result;
  question.words = {Text::PredictAskResult, {std::string(up.call.name)}};
  for (const char* answer : doubtful_answers(up)) choose(question, Text::PredictValue, answer);
  return closed(std::move(question));
}

// Of the runtime: works in the current context, and makes one current if there is none.
bool runtime_needs_context(const Upcoming& up) {
  return up.is({Function::cudaMalloc, Function::cudaFree, Function::cudaMallocHost, Function::cudaHostAlloc,
                Function::cudaMallocManaged, Function::cudaMallocAsync, Function::cudaMemcpy,
                Function::cudaMemset, Function::cudaStreamCreate, Function::cudaStreamCreateWithFlags,
                Function::cudaEventCreate, Function::cudaEventCreateWithFlags,
                Function::cudaDeviceSynchronize, Function::cudaLaunchKernel});
}

std::optional<Question> about_survival(const Upcoming& up) {
  std::uint32_t context = kNone;
  if (up.is(Function::cudaDeviceReset) && up.current() != kNone && up.before.contexts[up.current()].primary)
    context = up.current();
  if (up.is(Function::cuCtxDestroy)) context = up.context();
  if (up.is(Function::cuCtxPopCurrent)) context = up.current();
  if (up.is(Function::cuDevicePrimaryCtxRelease) || up.is(Function::cuDevicePrimaryCtxReset))
    context = up.primary();
  if (context == kNone || owned(up.before, context) == 0) return std::nullopt;
  Question question;
  question.kind = QuestionKind::Survival;
  question.context = context;
  question.words = {Text::PredictAskSurvival,
                    {std::string(up.call.name), up.before.contexts[context].name,
                     std::to_string(owned(up.before, context))}};
  choose(question, Text::PredictGone, kGone);
  choose(question, Text::PredictStays, kStays);
  return closed(std::move(question));
}

Stack with(Stack stack, std::uint32_t context) {
  stack.push_back(context);
  return stack;
}
Stack without_top(Stack stack) {
  if (!stack.empty()) stack.pop_back();
  return stack;
}
Stack without(Stack stack, std::uint32_t context) {
  std::erase(stack, context);
  return stack;
}

// The possible stacks after the call: the right one, and those that people expect.
std::vector<Stack> imagined_stacks(const Upcoming& up, std::uint32_t made) {
  const Stack& now = up.stack();
  const std::uint32_t context = up.context(), primary = up.primary();
  if (up.is(Function::cuCtxCreate)) return {with(now, made), now, with(without_top(now), made)};
  if (up.is(Function::cuCtxPushCurrent) && context != kNone)
    return {with(now, context), with(without_top(now), context), with(without(now, context), context)};
  if (up.is(Function::cuCtxPopCurrent)) return {without_top(now), now, {}};
  if (up.is(Function::cuCtxSetCurrent) && up.passed("ctx") == 0) return {without_top(now), now, {}};
  if (up.is(Function::cuCtxSetCurrent) && context != kNone)
    return {with(without_top(now), context), with(now, context), now};
  if (up.is(Function::cuCtxDestroy) && context != kNone)
    return {without_top(now), now, without(now, context)};
  if (up.is(Function::cuDevicePrimaryCtxRetain) && primary != kNone)
    return {now, with(now, primary), with(without_top(now), primary)};
  if (up.is(Function::cuDevicePrimaryCtxRelease) && primary != kNone)
    return {now, without_top(now), without(now, primary)};
  if (up.is(Function::cudaSetDevice) && primary != kNone)
    return {with(without_top(now), primary), with(now, primary), now};
  if (runtime_needs_context(up) && now.empty()) {
    std::vector<Stack> imagined = {now};
    for (const Device& device : up.before.devices)
      if (device.primary != kNone && imagined.size() < kMostOwners) imagined.push_back({device.primary});
    return imagined;
  }
  return {};
}

std::optional<Question> about_stack(const Upcoming& up) {
  Question question;
  question.kind = QuestionKind::Stack;
  question.words = {Text::PredictAskStack, {std::string(up.call.name), up.thread_word()}};
  // A context that is about to be made has no index yet; it will have the next name.
  State state = up.before;
  Context next;
  next.name = letter_name(up.before.next_letter);
  const std::uint32_t made = state.add_context(std::move(next));
  for (const Stack& stack : imagined_stacks(up, made))
    choose(question, Text::PredictStack, stack_value(state, stack));
  return closed(std::move(question));
}

bool makes_memory_or_objects(const Upcoming& up) {
  return up.is({Function::cuMemAlloc,
                Function::cuMemAllocAsync,
                Function::cuMemAllocFromPoolAsync,
                Function::cuMemAllocHost,
                Function::cuMemAllocManaged,
                Function::cuMemAllocPitch,
                Function::cuMemCreate,
                Function::cuModuleLoad,
                Function::cuModuleLoadData,
                Function::cuModuleLoadDataEx,
                Function::cuModuleLoadFatBinary,
                Function::cuLibraryLoadData,
                Function::cuLibraryLoadFromFile,
                Function::cuStreamCreate,
                Function::cuEventCreate,
                Function::cudaMalloc,
                Function::cudaMallocManaged,
                Function::cudaMallocAsync,
                Function::cudaStreamCreate,
                Function::cudaStreamCreateWithFlags,
                Function::cudaStreamCreateWithPriority,
                Function::cudaEventCreate,
                Function::cudaEventCreateWithFlags});
}

// Calls whose owner is worth asking for even if there is only one context.
bool owner_is_debatable(const Upcoming& up) {
  return up.is({Function::cuLibraryLoadData, Function::cuLibraryLoadFromFile, Function::cuMemCreate,
                Function::cuMemAllocAsync, Function::cuMemAllocFromPoolAsync, Function::cudaMallocAsync});
}

std::optional<Question> about_owner(const Upcoming& up) {
  const State& before = up.before;
  if (!makes_memory_or_objects(up) || up.current() == kNone) return std::nullopt;
  Question question;
  question.kind = QuestionKind::Owner;
  question.words = {Text::PredictAskOwner, {std::string(up.call.name)}};
  choose(question, Text::PredictContext, before.contexts[up.current()].name);
  // "The runtime works in the primary context", whatever is current.
  const std::uint32_t device = before.contexts[up.current()].device;
  if (up.call.layer() == trace::Layer::Runtime && device < before.devices.size() &&
      before.devices[device].primary != kNone)
    choose(question, Text::PredictContext, before.contexts[before.devices[device].primary].name);
  for (std::size_t i = 0; i < before.contexts.size() && question.choices.size() < kMostOwners; ++i) {
    const Context& context = before.contexts[i];
    if (!context.is_dead() && !context.hidden) choose(question, Text::PredictContext, context.name);
  }
  // With a single context and an ordinary call, the result is obvious.
  if (question.choices.size() < 2 && !owner_is_debatable(up)) return std::nullopt;
  choose(question, Text::PredictProcess, kProcess);
  return closed(std::move(question));
}

}  // namespace

std::optional<Question> question_before(const State& before, const trace::Event& call) {
  // No question about driver calls that a library makes inside its own calls.
  if (call.kind != trace::EventKind::Call || call.process != 0 || call.depth > 0) return std::nullopt;
  const Upcoming up{before, call};
  for (const auto ask : {about_result, about_survival, about_stack, about_owner}) {
    if (std::optional<Question> question = ask(up)) {
      question->thread = call.thread;
      return question;
    }
  }
  return std::nullopt;
}

}  // namespace lab

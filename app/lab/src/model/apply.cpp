// SPDX-License-Identifier: MIT
// Takes one event into a State: finds the thread, calls the handler for a call that succeeded, then compares
// the stack with what the driver itself named current.
//
// Only the program itself is followed. A child that it forks has handles of its own, which may equal the
// parent's; its events are listed and not drawn.
#include "model/apply.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "lab/model.hpp"
#include "model/state_ledger.hpp"

namespace lab {
namespace {

constexpr std::uint64_t kMostDevices = 256;
constexpr std::size_t kMostThreadsDrawn = 4096;  // beyond that, threads are listed and not drawn
constexpr std::int32_t kNotReady = 600;  // CUDA_ERROR_NOT_READY is no failure: the work is not done yet

// A capture that an error has made invalid ends in the stream where it began, by a call that returns the
// error.
bool ends_capture_without_graph(const trace::Event& event) {
  constexpr std::int32_t kInvalidated = 901, kUnjoined = 904;
  return event.function == Function::cuStreamEndCapture &&
         (event.result == kInvalidated || event.result == kUnjoined);
}

std::vector<Rule> second_rules() {
  std::vector<Rule> rules = work_rules();
  for (const auto more : {resource_rules, pool_rules})
    for (Rule& rule : more()) rules.push_back(std::move(rule));
  return rules;
}

// Does what the rule of this function says; the many functions that change nothing here have none.
void apply_rule(Step& step) {
  const auto table = [](std::vector<Rule> rules) {
    std::vector<std::function<void(Step&)>> made(api::kFunctions);
    for (Rule& rule : rules) made[static_cast<std::size_t>(rule.call)] = std::move(rule.apply);
    return made;
  };
  static const auto by_function = table(all_rules()), second_by_function = table(second_rules());
  const auto number = static_cast<std::size_t>(step.event.function);
  if (number >= by_function.size()) return;
  if (by_function[number]) by_function[number](step);
  if (second_by_function[number]) second_by_function[number](step);
}

// Finds the event's thread, or adds it. False if there are too many to draw.
bool find_thread(Step& step) {
  std::vector<Thread>& threads = step.state.threads;
  step.thread_index = step.state.thread_index(step.event.thread);
  if (step.thread_index != threads.size()) {
    step.keep_of_stack(step.thread(), step.thread().stack.size());
    return true;
  }
  if (threads.size() >= kMostThreadsDrawn) return false;
  Thread thread;
  thread.number = step.event.thread;
  if (thread.number == 0) thread.name = "main";
  threads.push_back(thread);
  step.keep_of_stack(thread, 0);
  step.lasting = true;
  return true;
}

// A library above the driver makes contexts current without traced driver calls. The context that the driver
// reports after such a call, or inside one, is therefore the effect of the call, and no disagreement.
void follow_library(Step& step, std::uint64_t handle) {
  const std::uint32_t said = context_by_library(step, handle);
  Thread& thread = step.thread();
  if (!thread.driver_asked || thread.driver_current != said) step.lasting = true;
  thread.driver_asked = true;
  thread.driver_current = said;
  if (said != kNone) return step.replace_top(said);
  while (!thread.stack.empty()) step.pop();  // only an empty stack gives null
}

// The driver is right. If it reports another context than the top of the model's stack, the step is marked,
// and the top becomes the reported context, so that later steps start from the true state.
void hold_against_driver(Step& step, std::uint64_t handle) {
  const std::uint32_t top = step.top();
  const std::uint64_t top_handle = top == kNone ? 0 : step.state.contexts[top].handle;
  const bool agree = top_handle == handle;
  const std::uint32_t said = handle == 0 ? kNone : agree ? top : step.known(handle);
  Thread& thread = step.thread();
  if (!thread.driver_asked || thread.driver_current != said || thread.agree != agree) step.lasting = true;
  thread.driver_asked = true;
  thread.driver_current = said;
  thread.agree = agree;
  if (agree) return;
  if (said == kNone) {  // only an empty stack gives null
    step.keep_of_stack(thread, 0);
    thread.stack.clear();
  } else if (thread.stack.empty()) {
    thread.stack.push_back(said);
  } else {
    step.keep_of_stack(thread, thread.stack.size() - 1);
    thread.stack.back() = said;
  }
}

void apply_call(Step& step) {
  Thread& thread = step.thread();
  if (!thread.agree) {
    thread.agree = true;
    step.lasting = true;
  }
  const trace::Event& event = step.event;
  if (!event.returned || (event.result != 0 && event.result != kNotReady)) {
    step.note(Change::Kind::Failed);
    if (event.returned && ends_capture_without_graph(event)) end_capture(step);
  } else if (event.result == 0 && event.layer() != trace::Layer::Driver) {
    // The driver calls inside show what it did, but only the runtime knows which device it means.
    if (event.function == Function::cudaSetDevice && step.thread().runtime_device != step.passed("device")) {
      step.thread().runtime_device = static_cast<std::uint32_t>(step.passed("device"));
      step.lasting = true;
    }
  } else if (event.result == 0) {
    apply_rule(step);
  }
  if (!event.current) return;
  if (event.depth > 0 || event.layer() != trace::Layer::Driver)
    follow_library(step, *event.current);
  else
    hold_against_driver(step, *event.current);
}

void start_thread(Step& step) {
  Thread& thread = step.thread();
  thread.alive = true;
  // The main thread has the program's name, and other threads inherit it: that is not a name given to a
  // thread.
  if (thread.number == 0)
    step.state.program_name = step.event.text;
  else if (step.event.text != step.state.program_name && step.event.text != "main")
    thread.name = step.event.text;
  step.lasting = true;
  step.note(Change::Kind::ThreadStarted);
}

void end_thread(Step& step) {
  step.thread().alive = false;
  forget_work_of_thread(step);
  step.keep_of_stack(step.thread(), 0);
  step.thread().stack.clear();  // the stack ends with its thread; its contexts are floating now
  step.lasting = true;
  step.note(Change::Kind::ThreadEnded);
}

}  // namespace

std::vector<Rule> all_rules() {
  std::vector<Rule> all;
  for (const auto rules : {context_rules, primary_rules, device_rules, memory_rules, library_rules})
    for (Rule& rule : rules()) all.push_back(std::move(rule));
  for (Rule& rule : described_rules(all)) all.push_back(std::move(rule));
  return all;
}

std::optional<std::uint64_t> Step::written(std::string_view name) const {
  const trace::Argument* found = argument(name);
  return found ? found->out : std::nullopt;
}

std::uint64_t Step::value(std::string_view name) const {
  const trace::Argument* found = name.empty() ? nullptr : argument(name);
  if (!found) return 0;
  return found->role == trace::Role::In ? found->word : found->out.value_or(0);
}

void Step::note(Change::Kind kind, std::uint32_t context, std::uint32_t allocation) {
  state.changes.push_back({kind, event.thread, context, allocation, {}});
}

void Step::note(Change::Kind kind, const Object& object) {
  state.changes.push_back({kind, event.thread, object.context, 0, object.id});
}

Device* Step::device(std::uint64_t ordinal) {
  if (ordinal >= kMostDevices) return nullptr;
  while (state.devices.size() <= ordinal) {
    Device device;
    device.ordinal = static_cast<std::uint32_t>(state.devices.size());
    Context primary;
    primary.name = fmt::format("P{}", device.ordinal);
    primary.device = device.ordinal;
    primary.primary = true;
    primary.alive = false;
    primary.active = false;
    primary.created_at = event.seq;
    device.primary = add_context(std::move(primary));
    state.devices.push_back(device);
    lasting = true;
  }
  return &state.devices[ordinal];
}

std::uint32_t Step::known(std::uint64_t handle) {
  const std::uint32_t found = state.context_of(handle);
  if (found != kNone || handle == 0) return found;
  Context context;
  context.name = fmt::format("{:#x}", handle);
  context.handle = handle;
  context.created_at = event.seq;
  device(0);  // there is at least one device; the context's own is known when the program asks for it
  lasting = true;
  return add_context(std::move(context));
}

std::uint32_t Step::owner() {
  const std::uint32_t current = top();
  if (current == kNone || state.contexts[current].green == 0) return current;
  const Device* const home = device(state.contexts[current].device);
  return home ? home->primary : current;
}

std::uint32_t Step::add_context(Context context) {
  const std::uint32_t index = state.add_context(std::move(context));
  change_context(index);
  return index;
}

Context& Step::change_context(std::uint32_t index) {
  if (touched != nullptr) touched->contexts.push_back(index);
  return state.contexts[index];
}

void Step::keep_of_stack(const Thread& of, std::size_t same) {
  if (touched != nullptr) touched->threads.push_back({of.number, same});
}

void Step::push(std::uint32_t context) {
  if (context == kNone) return;
  thread().stack.push_back(context);
  lasting = true;
  note(Change::Kind::Pushed, context);
}

void Step::pop() {
  if (thread().stack.empty()) return;
  const std::uint32_t context = thread().stack.back();
  keep_of_stack(thread(), thread().stack.size() - 1);
  thread().stack.pop_back();
  lasting = true;
  note(Change::Kind::Popped, context);
}

void Step::replace_top(std::uint32_t context) {
  if (thread().stack.empty()) return push(context);
  if (context == kNone || thread().stack.back() == context) return;
  keep_of_stack(thread(), thread().stack.size() - 1);
  thread().stack.back() = context;
  lasting = true;
  note(Change::Kind::CurrentReplaced, context);
}

void Step::free_owned_by(std::uint32_t context) {
  for (const std::uint32_t number : ledger.owned_by(context)) {
    ledger.remove(number);
    note(Change::Kind::Freed, context, number);
  }
  forget_work_of_context(*this, context);
  for (const ObjectId id : ledger.objects_of(context)) end(id);
}

std::string letter_name(std::uint32_t number) {
  std::string name;
  for (std::uint64_t left = std::uint64_t{number} + 1; left > 0; left = (left - 1) / 26)
    name.insert(name.begin(), static_cast<char>('A' + (left - 1) % 26));
  return name;
}

bool apply_event(State& state, Ledger& ledger, const trace::Event& event, Touched* touched) {
  state.changes.clear();
  ++state.events;
  Step step{state, ledger, event, touched};
  if (event.process != state.process) {
    if (event.function == Function::cuInit && event.returned && event.result == 0 &&
        !state.initialised_elsewhere)
      state.initialised_elsewhere = step.lasting = true;
    return step.lasting;
  }
  switch (event.kind) {
    case trace::EventKind::Call:
      if (find_thread(step)) apply_call(step);
      break;
    case trace::EventKind::ThreadStart:
      if (find_thread(step)) start_thread(step);
      break;
    case trace::EventKind::ThreadEnd:
      if (find_thread(step)) end_thread(step);
      break;
    case trace::EventKind::ProcessEnd:
      state.ended = true;
      step.lasting = true;
      step.note(Change::Kind::ProcessEnded);
      break;
    default:
      break;
  }
  return step.lasting;
}

void apply(State& state, const trace::Event& event) {
  StateLedger ledger(state);
  apply_event(state, ledger, event);
}

}  // namespace lab

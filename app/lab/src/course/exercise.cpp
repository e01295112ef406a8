// SPDX-License-Identifier: MIT
// Judges a finished run by what an exercise expects of it. Every expectation yields at least one finding,
// also if it is met, so that a reader sees what was checked. What only a whole run can show is left out if
// the program ended early: a student is told what ended it, not what it did not reach.
#include "lab/exercise.hpp"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "lab/leaks.hpp"

namespace lab {
namespace {

constexpr std::size_t kMostErrors = 5;  // of many failures, as in a loop, only the first are listed

std::string place_of(const trace::Event& event) {
  if (event.file.empty()) return std::string(event.symbol);
  return fmt::format("{}:{}", event.file, event.line);
}

bool succeeded(const trace::Event& event) {
  return event.returned && event.result == 0;
}

struct Judge {
  const Model& model;
  const trace::Store& store;
  bool ended_early = false;              // not with the status that is expected
  bool left_out = false;                 // a finding, because of that
  std::vector<std::string> unseen = {};  // calls and objects whose findings were left out
  std::vector<Finding> findings;

  void find(bool held, Text key, std::vector<std::string> values, std::optional<std::size_t> event = {}) {
    findings.push_back({held, Problem{key, std::move(values)}, event});
  }
  // What is missing may be where the program did not come to: then only `what` is named.
  void missing(std::string what, Text key, std::vector<std::string> values,
               std::optional<std::size_t> event = {}) {
    if (!ended_early) return find(false, key, std::move(values), event);
    left_out = true;
    note_unseen(std::move(what));
  }
  // Each function once, also if several expectations name it: "cuMemFree (0/2)" says what "cuMemFree" does. A
  // result, "cuMemFree = CUDA_ERROR_INVALID_VALUE", is something else, and stays.
  void note_unseen(std::string what) {
    const auto counted = [](const std::string& entry) { return entry.ends_with(')'); };
    const auto name = [](const std::string& entry) { return entry.substr(0, entry.find(" (")); };
    const auto same = std::find_if(unseen.begin(), unseen.end(),
                                   [&](const std::string& each) { return name(each) == name(what); });
    if (same == unseen.end())
      unseen.push_back(std::move(what));
    else if (counted(what) && !counted(*same))
      *same = std::move(what);
  }
  // What calls that were not reached could have changed.
  void find_in_whole_run(bool held, Text key, std::vector<std::string> values,
                         std::optional<std::size_t> event = {}) {
    left_out = left_out || ended_early;
    if (!ended_early) find(held, key, std::move(values), event);
  }

  // The first of these calls that succeeded.
  std::optional<std::size_t> first_success(const std::string& name) const {
    const trace::Function wanted = trace::function_of(name);
    for (std::size_t call = 0; call < store.calls(); ++call) {
      const std::size_t index = store.event_of_call(call);
      const trace::Event event = store.at(index);
      if (event.function == wanted && succeeded(event)) return index;
    }
    return std::nullopt;
  }

  void exit_status(int expected, const RunEnd& end) {
    ended_early = end.kind != trace::EndKind::Exit || end.number != expected;
    if (end.kind != trace::EndKind::Exit)
      find(false, Text::ExerciseNoExit, {});
    else if (end.number == expected)
      find(true, Text::ExerciseExitAsExpected, {std::to_string(end.number)});
    else
      find(false, Text::ExerciseExitOther, {std::to_string(end.number), std::to_string(expected)});
  }

  void called(const std::string& name) {
    if (const auto made = first_success(name)) return find(true, Text::ExerciseCallMade, {name}, made);
    const trace::Function wanted = trace::function_of(name);
    std::optional<std::size_t> seen;
    for (std::size_t call = 0; call < store.calls(); ++call)
      if (store.at(store.event_of_call(call)).function == wanted) seen = store.event_of_call(call);
    if (seen) return find(false, Text::ExerciseCallFailedOnly, {name}, seen);
    missing(name, Text::ExerciseCallMissing, {name});
  }

  void never(const std::string& name) {
    const trace::Function unwanted = trace::function_of(name);
    for (std::size_t call = 0; call < store.calls(); ++call) {
      const std::size_t index = store.event_of_call(call);
      const trace::Event event = store.at(index);
      if (event.function == unwanted)
        return find(false, Text::ExerciseCalledAfterAll, {name, place_of(event)}, index);
    }
    find_in_whole_run(true, Text::ExerciseNeverCalled, {name});
  }

  void at_least(const Expectations::Count& wanted) {
    const trace::Function function = trace::function_of(wanted.call);
    int times = 0;
    for (std::size_t call = 0; call < store.calls(); ++call) {
      const trace::Event event = store.at(store.event_of_call(call));
      times += event.function == function && succeeded(event) ? 1 : 0;
    }
    std::vector<std::string> values{wanted.call, std::to_string(times), std::to_string(wanted.times)};
    if (times >= wanted.times) return find(true, Text::ExerciseOftenEnough, std::move(values));
    missing(fmt::format("{} ({}/{})", wanted.call, times, wanted.times), Text::ExerciseTooSeldom,
            std::move(values));
  }

  // The finding leads to the first call that is too many.
  void at_most(const Expectations::Count& wanted) {
    const trace::Function function = trace::function_of(wanted.call);
    int times = 0;
    std::optional<std::size_t> too_many;
    for (std::size_t call = 0; call < store.calls(); ++call) {
      const std::size_t index = store.event_of_call(call);
      if (store.at(index).function != function) continue;
      if (++times > wanted.times && !too_many) too_many = index;
    }
    std::vector<std::string> values{wanted.call, std::to_string(times), std::to_string(wanted.times)};
    if (too_many) return find(false, Text::ExerciseTooOften, std::move(values), too_many);
    find_in_whole_run(true, Text::ExerciseNotTooOften, std::move(values));
  }

  void order(const Expectations::Order& wanted) {
    const std::optional<std::size_t> first = first_success(wanted.first), then = first_success(wanted.then);
    for (const auto& [name, seen] : {std::pair(wanted.first, first), std::pair(wanted.then, then)})
      if (!seen) return missing(name, Text::ExerciseOrderMissing, {name, wanted.first, wanted.then});
    const bool held = *first < *then;
    find(held, held ? Text::ExerciseInOrder : Text::ExerciseOutOfOrder,
         {wanted.first, wanted.then, place_of(store.at(*then))}, then);
  }

  // "cuMemFree = CUDA_ERROR_INVALID_VALUE"
  void result(const std::string& wanted) {
    const std::size_t equals = wanted.find(" = ");
    const std::string name = wanted.substr(0, equals);
    const std::string answer = equals == std::string::npos ? "" : wanted.substr(equals + 3);
    const trace::Function function = trace::function_of(name);
    std::string other;
    std::optional<std::size_t> seen;
    for (std::size_t call = 0; call < store.calls(); ++call) {
      const std::size_t index = store.event_of_call(call);
      const trace::Event event = store.at(index);
      if (event.function != function || !event.returned) continue;
      const std::string_view was = trace::result_name(event);
      if (was == answer) return find(true, Text::ExerciseResultSeen, {name, answer}, index);
      seen = index;
      other = was.empty() ? std::to_string(event.result) : std::string(was);
    }
    if (!seen) return missing(wanted, Text::ExerciseCallMissing, {name});
    missing(wanted, Text::ExerciseResultOther, {name, answer, other}, seen);
  }

  void object(const std::string& name) {
    const ObjectId id = model.object_named(name);
    if (!id) return missing(name, Text::ExerciseObjectMissing, {name});
    find(true, Text::ExerciseObjectMade, {name}, model.life_of(id).created);
  }

  void every_device(const std::string& name) {
    const trace::Function function = trace::function_of(name);
    std::optional<std::uint64_t> count;
    std::set<std::uint64_t> asked;
    for (std::size_t call = 0; call < store.calls(); ++call) {
      const trace::Event event = store.at(store.event_of_call(call));
      if (!succeeded(event)) continue;
      if (event.function == trace::Function::cuDeviceGetCount && !event.arguments.empty() &&
          event.arguments[0].out)
        count = event.arguments[0].out;
      if (event.function != function) continue;
      for (const trace::Argument& argument : event.arguments)
        if (argument.kind == trace::ValueKind::Device && argument.role == trace::Role::In)
          asked.insert(argument.word);
    }
    if (!count) return missing(name, Text::ExerciseDevicesUnknown, {name});
    const std::string wanted = std::to_string(*count);
    if (asked.size() >= *count) return find(true, Text::ExerciseEveryDevice, {name, wanted});
    missing(fmt::format("{} ({}/{})", name, asked.size(), wanted), Text::ExerciseDeviceMissing,
            {name, std::to_string(asked.size()), wanted});
  }

  void errors(const std::vector<std::string>& allowed) {
    std::size_t found = 0;
    for (std::size_t call = 0; call < store.calls() && found < kMostErrors; ++call) {
      const std::size_t index = store.event_of_call(call);
      const trace::Event event = store.at(index);
      if (succeeded(event)) continue;
      const std::string number = std::to_string(call + 1), name(event.name);
      if (!event.returned) {
        find(false, Text::ExerciseNeverReturned, {number, name, place_of(event)}, index);
        ++found;
        continue;
      }
      std::string answer(trace::result_name(event));
      if (std::find(allowed.begin(), allowed.end(), answer) != allowed.end()) continue;
      if (answer.empty()) answer = std::to_string(event.result);
      find(false, Text::ExerciseError, {number, name, answer, place_of(event)}, index);
      ++found;
    }
    if (found == 0) find(true, Text::ExerciseNoErrors, {});
  }

  void leaks(const State& state) {
    if (ended_early) {
      left_out = true;
      return;
    }
    const auto maker = [this](std::uint64_t event) {
      return event < store.size() ? place_of(store.at(event)) : std::string();
    };
    const std::size_t before = findings.size();
    for (const Leak& left : leaks_in(state)) {
      const std::string name = model.name_of(left.object), place = maker(left.made_at);
      if (left.retains > 0)
        find(false, Text::ExerciseLeakedPrimary, {name, std::to_string(left.retains)});
      else if (left.object.kind == ObjectKind::Context)
        find(false, Text::ExerciseLeakedContext, {name, place}, left.made_at);
      else if (left.object.kind == ObjectKind::Allocation)
        find(false, Text::ExerciseLeakedMemory,
             {std::to_string(left.object.number), std::to_string(left.bytes), place}, left.made_at);
      else if (left.context < state.contexts.size())
        find(false, Text::ExerciseLeakedObject, {name, state.contexts[left.context].name, place},
             left.made_at);
      else
        find(false, Text::ExerciseLeakedProcessObject, {name, place}, left.made_at);
    }
    if (findings.size() == before) find(true, Text::ExerciseNoLeaks, {});
  }

  // What a context took with it; a program that goes on for long would run out of memory.
  void each_ended() {
    if (ended_early) {
      left_out = true;
      return;
    }
    const std::size_t before = findings.size();
    for (std::size_t event = 0; event < store.size(); ++event)
      for (const Change& change : model.changes(event)) {
        const bool ended =
            change.kind == Change::Kind::ContextDestroyed || change.kind == Change::Kind::PrimaryDeactivated;
        if (ended && store.kind_at(event) == trace::EventKind::Call) taken_by(change.context, event);
      }
    if (findings.size() == before) find(true, Text::ExerciseEachEnded, {});
  }

  void taken_by(std::uint32_t context, std::size_t event) {
    const State& state = model.at(event);  // the moment before it
    for (const Leak& left : leaks_in(state)) {
      if (left.context != context) continue;
      const std::string owner = state.contexts[context].name, place = place_of(store.at(left.made_at));
      if (left.object.kind == ObjectKind::Allocation)
        find(false, Text::ExerciseTakenMemory,
             {std::to_string(left.object.number), std::to_string(left.bytes), owner, place}, left.made_at);
      else
        find(false, Text::ExerciseTakenObject, {model.name_of(left.object), owner, place}, left.made_at);
    }
  }

  void final_stack(const State& state, const std::vector<std::string>& expected) {
    const std::vector<std::string> names = state.stack_names(0);
    const std::string is = list_of(names);
    if (names == expected) return find_in_whole_run(true, Text::ExerciseStackAsExpected, {is});
    find_in_whole_run(false, Text::ExerciseStackOther, {is, list_of(expected)});
  }

  // Stands behind what ended the program.
  void say_what_was_left_out(std::size_t at) {
    if (!left_out) return;
    Finding finding{false, Problem{Text::ExerciseNothingJudged, {}}, {}};
    if (store.calls() > 0) {  // all may be of processes that it has started
      finding.sentence = {Text::ExerciseOthersCalled, {}};
      if (!unseen.empty()) finding.sentence = {Text::ExerciseOthersNotSeen, {list_of(unseen)}};
    }
    for (std::size_t call = store.calls(); call-- > 0;) {
      const std::size_t index = store.event_of_call(call);
      if (store.process_at(index) != 0) continue;
      const std::string place = place_of(store.at(index));
      finding = {false, Problem{Text::ExerciseRestNotJudged, {place}}, index};
      if (!unseen.empty()) finding.sentence = {Text::ExerciseNotSeen, {place, list_of(unseen)}};
      break;
    }
    findings.insert(findings.begin() + static_cast<std::ptrdiff_t>(at), std::move(finding));
  }
};

}  // namespace

bool Verdict::passed() const {
  return std::all_of(findings.begin(), findings.end(), [](const Finding& finding) { return finding.held; });
}

Verdict judge(const Expectations& expect, const Model& model, const trace::Store& store, const RunEnd& end) {
  Judge judge{.model = model, .store = store, .findings = {}};
  if (expect.exit_status) judge.exit_status(*expect.exit_status, end);
  if (expect.allowed_errors)
    judge.errors(*expect.allowed_errors);
  else if (expect.no_errors)
    judge.errors({});
  const std::size_t of_the_end = judge.findings.size();
  for (const std::string& name : expect.calls) judge.called(name);
  for (const std::string& name : expect.every_device) judge.every_device(name);
  for (const std::string& name : expect.never) judge.never(name);
  for (const Expectations::Count& wanted : expect.at_least) judge.at_least(wanted);
  for (const Expectations::Count& wanted : expect.at_most) judge.at_most(wanted);
  for (const Expectations::Order& wanted : expect.order) judge.order(wanted);
  for (const std::string& result : expect.results) judge.result(result);
  for (const std::string& name : expect.objects) judge.object(name);
  const State state = model.at(std::min(moment_after_last_call(store), model.moments()));
  if (expect.no_leaks) judge.leaks(state);
  if (expect.each_ended) judge.each_ended();
  if (expect.final_stack) judge.final_stack(state, *expect.final_stack);
  judge.say_what_was_left_out(of_the_end);
  return Verdict{std::move(judge.findings)};
}

}  // namespace lab
